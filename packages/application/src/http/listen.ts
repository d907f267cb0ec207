import type { FastifyInstance } from 'fastify';
import { hostError, reasonOf } from '../errors.ts';

const explanations: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'it may not be used by this user',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** Listens, logs the addresses in the given words, and gives the first. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
  words: (address: string) => string,
): Promise<string> {
  try {
    return await server.listen({ host, port, listenTextResolver: words });
  } catch (error) {
    const why = explanations[(error as NodeJS.ErrnoException).code ?? ''] ?? reasonOf(error);
    const sentence = `Cannot listen on port ${port} of ${host}: ${why}; HOST and PORT choose another (port 0: any free one).`;
    throw hostError('JIG_ADDRESS_UNAVAILABLE', sentence, { cause: error, fields: { host, port } });
  }
}
