import type { FastifyPluginAsync } from 'fastify';
import { withDeadline } from '../deadline.ts';
import type { Health, HealthCheck, PartHealth } from './health.ts';

/** A part that does not even say how it is counts as down. */
const checkDeadline = 1000;

async function ask(part: string, check: HealthCheck): Promise<PartHealth> {
  try {
    return await withDeadline(`Asking ${part} how it is`, checkDeadline, check);
  } catch {
    return { ok: false, state: 'no answer' };
  }
}

export async function healthOf(checks: ReadonlyMap<string, HealthCheck>): Promise<Health> {
  const parts = await Promise.all([...checks].map(async ([part, check]) => [part, await ask(part, check)] as const));
  const isWell = parts.every(([, { ok }]) => ok);
  return { status: isWell ? 'ok' : 'unavailable', parts: Object.fromEntries(parts) };
}

/** `GET /health`: 200 while every part does its work, else 503, with each part's state. */
export const healthRoute =
  (checks: () => ReadonlyMap<string, HealthCheck>): FastifyPluginAsync =>
  async (server) => {
    server.get('/health', async (_request, reply) => {
      const health = await healthOf(checks());
      reply.code(health.status === 'ok' ? 200 : 503).header('cache-control', 'no-store');
      return reply.type('application/json').send(Buffer.from(JSON.stringify(health)));
    });
  };
