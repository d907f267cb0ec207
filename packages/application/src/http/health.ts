import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { choice, type SettingValues } from '../configuration/setting.ts';
import { withDeadline } from '../deadline.ts';
import { isForThisMachine, isFromThisMachine } from './requests.ts';

/** How one part of the application is; `details` are worth reading and never secret. */
export interface PartHealth {
  /** Whether the part does its work; one that does not makes `/health` answer 503. */
  readonly ok: boolean;
  /** In the part's own words: `ready`, `restarting`, … Everybody may read it. */
  readonly state: string;
  /** Shown only to those whom the setting `health.details` allows to see them. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type HealthCheck = () => PartHealth | Promise<PartHealth>;

export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly parts: Readonly<Record<string, PartHealth>>;
}

export const healthSettings = {
  details: choice(['never', 'loopback', 'always'], {
    default: 'loopback',
    description:
      'Who sees in `/health` the details of each part, such as versions, process IDs and addresses: nobody, clients on this machine that come by `localhost` and not through a proxy, or everybody.',
  }),
} as const;

export type HealthSettings = SettingValues<typeof healthSettings>;

/** A part that does not even say how it is counts as down. */
const checkDeadline = 1000;

async function ask(part: string, check: HealthCheck): Promise<PartHealth> {
  try {
    return await withDeadline(`Asking ${part} how it is`, checkDeadline, check);
  } catch {
    return { ok: false, state: 'no answer' };
  }
}

async function healthOf(checks: ReadonlyMap<string, HealthCheck>): Promise<Health> {
  const parts = await Promise.all([...checks].map(async ([part, check]) => [part, await ask(part, check)] as const));
  const isWell = parts.every(([, { ok }]) => ok);
  return { status: isWell ? 'ok' : 'unavailable', parts: Object.fromEntries(parts) };
}

function withoutDetails({ status, parts }: Health): Health {
  const states = Object.entries(parts).map(([part, { ok, state }]) => [part, { ok, state }] as const);
  return { status, parts: Object.fromEntries(states) };
}

function maySeeDetails(details: HealthSettings['details'], request: FastifyRequest): boolean {
  if (details !== 'loopback') return details === 'always';
  return isFromThisMachine(request) && isForThisMachine(request);
}

const asJson = (value: object) => Buffer.from(JSON.stringify(value));

/**
 * `GET /health` tells whether the application can do its work: 200 while every part does its own, else 503, with each part's state.
 * `GET /health/live` tells whether the process answers, whatever its parts do.
 */
export const healthRoutes =
  (checks: () => ReadonlyMap<string, HealthCheck>, { details }: HealthSettings): FastifyPluginAsync =>
  async (server) => {
    server.get('/health', async (request, reply) => {
      const health = await healthOf(checks());
      reply.code(health.status === 'ok' ? 200 : 503).header('cache-control', 'no-store');
      const shown = maySeeDetails(details, request) ? health : withoutDetails(health);
      return reply.type('application/json').send(asJson(shown));
    });

    server.get('/health/live', async (_request, reply) => {
      reply.header('cache-control', 'no-store').type('application/json');
      return reply.send(asJson({ status: 'ok' }));
    });
  };
