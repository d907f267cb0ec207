import type { FastifyInstance } from 'fastify';
import { errorMessage, hostError } from '../errors.ts';

const explanations: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'it may not be used by this user',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** Nothing can be opened at the address that means all of them; where all of IPv6 is, its loopback is. */
const openable = (address: string) => address.replace('//[::]', '//[::1]');

/** Listens, logs the addresses in the given words, and gives the first. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
  words: (address: string) => string,
): Promise<string> {
  try {
    return openable(await server.listen({ host, port, listenTextResolver: (address) => words(openable(address)) }));
  } catch (error) {
    const why = explanations[(error as NodeJS.ErrnoException).code ?? ''] ?? errorMessage(error);
    const sentence = `Cannot listen on port ${port} of ${host}: ${why}; HOST and PORT choose another (port 0: any free one).`;
    throw hostError('JIG_ADDRESS_UNAVAILABLE', sentence, { cause: error, fields: { host, port } });
  }
}
