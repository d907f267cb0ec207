import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isLoopback, type Peer } from '@jig/http';

/** `NODE_ENV` in lower case. */
export const environment = () => (process.env.NODE_ENV ?? '').toLowerCase();

/** Neither production nor a test. */
export const isDevelopment = () => ['', 'development'].includes(environment());

/** Whether a folder has the console installed; otherwise `npx jig` would run another package of that name. */
export function hasConsole(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('@jig/console/package.json');
    return true;
  } catch {
    return false;
  }
}

/** The address of the server with a path, from the socket, which no client controls; the path alone if it is unknown. */
export function addressOf({ localAddress, localPort, encrypted }: Peer, path: string): string {
  if (localAddress === undefined || localPort === undefined) return path;
  const isHere = isLoopback(localAddress) || localAddress === '0.0.0.0' || localAddress === '::';
  const host = isHere ? 'localhost' : localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  const scheme = encrypted === true ? 'https' : 'http';
  return `${scheme}://${host}:${localPort}${path}`;
}

/** The line that names the address of the beans. */
export const addressLine = (socket: Peer, prefix: string, isInConsole: boolean): string =>
  `bean inspection: the beans are at ${addressOf(socket, `${prefix}/bean`)}${isInConsole ? '; npx jig shows all applications' : ''}`;

interface AgentLineOptions {
  readonly hasToken: boolean;
  /** Whether `npx jig` finds this process. */
  readonly isInConsole: boolean;
}

/** The configuration to paste for a coding agent, without the token, since the line is logged. */
export function agentLine(url: string, { hasToken, isInConsole }: AgentLineOptions): string {
  const headers = hasToken ? { headers: { Authorization: 'Bearer <the token>' } } : {};
  const jig = isInConsole ? { command: 'npx', args: ['jig', 'mcp'] } : { type: 'http', url, ...headers };
  return `bean inspection for coding agents, as .mcp.json: ${JSON.stringify({ mcpServers: { jig } })}`;
}
