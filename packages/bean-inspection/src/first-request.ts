import type { Socket } from 'node:net';
import { isLoopback } from './request-origin.ts';

/** Neither production nor a test, whose output would only grow. */
export const isDevelopment = () => ['', 'development'].includes(process.env.NODE_ENV ?? '');

/** A line that says where the list of beans is, by the address at which a first request came in: no client can choose it. */
export function addressLine(socket: Socket, prefix: string): string {
  const { localAddress, localPort } = socket;
  const path = `${prefix}/bean`;
  if (localAddress === undefined || localPort === undefined) return `bean inspection: the beans are at ${path}`;
  const host = isLoopback(localAddress) ? 'localhost' : localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  return `bean inspection: the beans are at ${scheme}://${host}:${localPort}${path}`;
}
