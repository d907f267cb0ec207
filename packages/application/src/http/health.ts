import { isForThisMachine, isFromThisMachine } from '@jig/http';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { withDeadline } from '../deadline.ts';

/** The health of one part of the application; `details` are never secret. */
export interface PartHealth {
  /** Whether the part works; if one does not, `/health` answers 503. */
  readonly ok: boolean;
  /** Such as `ready` or `restarting`. Shown to everybody. */
  readonly state: string;
  /** Shown only to clients on this machine. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type HealthCheck = () => PartHealth | Promise<PartHealth>;

export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly parts: Readonly<Record<string, PartHealth>>;
}

/** A part that does not answer in this time counts as down. */
const checkTimeoutMs = 1500;

async function runCheck(part: string, check: HealthCheck): Promise<PartHealth> {
  try {
    return await withDeadline(`The health check of ${part}`, checkTimeoutMs, check);
  } catch {
    return { ok: false, state: 'no answer' };
  }
}

/** The health of all parts, with their details for a client on this machine. */
export async function healthFor(request: FastifyRequest, checks: ReadonlyMap<string, HealthCheck>): Promise<Health> {
  const seesDetails = isFromThisMachine(request.raw) && isForThisMachine(request.raw, request.originalUrl);
  const results = [...checks].map(async ([part, check]) => {
    const { ok, state, details } = await runCheck(part, check);
    return [part, { ok, state, ...(seesDetails && details && { details }) }] as const;
  });
  const parts = await Promise.all(results);
  const isOk = parts.every(([, { ok }]) => ok);
  return { status: isOk ? 'ok' : 'unavailable', parts: Object.fromEntries(parts) };
}

const asJson = (value: object) => Buffer.from(JSON.stringify(value));

/** Says whether the application works: 200 while every part does, else 503, with the state of each part. */
export const readinessRoute =
  (checks: () => ReadonlyMap<string, HealthCheck>): FastifyPluginAsync =>
  async (server) => {
    server.get('/health', { schema: readinessSchema }, async (request, reply) => {
      const health = await healthFor(request, checks());
      reply.code(health.status === 'ok' ? 200 : 503).header('cache-control', 'no-store');
      return reply.type('application/json').send(asJson(health));
    });
  };

/** Says whether the process answers, regardless of its parts. */
export const livenessRoute: FastifyPluginAsync = async (server) => {
  server.get('/health/live', { schema: livenessSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store').type('application/json');
    return reply.send(asJson({ status: 'ok' }));
  });
};

const answer = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } });

const healthSchema = {
  type: 'object',
  required: ['status', 'parts'],
  properties: {
    status: { enum: ['ok', 'unavailable'] },
    parts: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['ok', 'state'],
        properties: {
          ok: { type: 'boolean' },
          state: { type: 'string' },
          details: { type: 'object', description: 'Only for clients on this machine.' },
        },
      },
    },
  },
};

const readinessSchema = {
  operationId: 'health',
  summary: 'Whether the application can do its work (readiness), and how each of its parts is.',
  responses: { 200: answer('Every part does its work.', healthSchema), 503: answer('A part does not.', healthSchema) },
};

const livenessSchema = {
  operationId: 'liveness',
  summary: 'Whether the process answers (liveness), whatever its parts do.',
  responses: {
    200: answer('It does.', { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } }),
  },
};
