import type { FastifyReply } from 'fastify';

/** Adds the cookies that were set by way of Fastify to a head that is written past it. */
export function addCookies(head: string[], reply: FastifyReply): void {
  const cookies = reply.getHeader('set-cookie');
  if (cookies === undefined) return;
  for (const cookie of [cookies].flat()) head.push('set-cookie', String(cookie));
}
