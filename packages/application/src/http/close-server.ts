import type { FastifyInstance } from 'fastify';

/** How often connections are closed whose last answer has gone out; a client that keeps them alive would hold up the stop. */
const idleCheck = 20;

/** Takes no more requests, lets those in flight finish until the deadline, then cuts them off. */
export async function closeServer(server: FastifyInstance, milliseconds: number): Promise<void> {
  const closing = setInterval(() => server.server.closeIdleConnections(), idleCheck);
  const deadline = setTimeout(() => server.server.closeAllConnections(), milliseconds);
  try {
    await server.close();
  } finally {
    clearInterval(closing);
    clearTimeout(deadline);
  }
}
