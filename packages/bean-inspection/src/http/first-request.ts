import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isLoopback, type Peer } from '@jig/http';

/** What `NODE_ENV` says, in any case of its letters. */
export const environment = () => (process.env.NODE_ENV ?? '').toLowerCase();

/** Neither production nor a test, whose output would only grow. */
export const isDevelopment = () => ['', 'development'].includes(environment());

/** Whether `npx jig` runs the console in a folder: on npm, the plain name belongs to somebody else. */
export function hasConsole(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('@jig/console/package.json');
    return true;
  } catch {
    return false;
  }
}

/** The address at which a first request came in, with a path: no client can choose it. Only the path where the socket does not tell. */
export function addressOf({ localAddress, localPort, encrypted }: Peer, path: string): string {
  if (localAddress === undefined || localPort === undefined) return path;
  const host = isLoopback(localAddress) ? 'localhost' : localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  const scheme = encrypted === true ? 'https' : 'http';
  return `${scheme}://${host}:${localPort}${path}`;
}

/** A line that says where the list of beans is. */
export const addressLine = (socket: Peer, prefix: string, isInConsole: boolean): string =>
  `bean inspection: the beans are at ${addressOf(socket, `${prefix}/bean`)}${isInConsole ? '; npx jig shows all applications' : ''}`;

export interface AgentLineOptions {
  readonly hasToken: boolean;
  /** Whether `npx jig` finds this process. */
  readonly isInConsole: boolean;
}

/** A line to paste into the configuration of a coding agent. A token is not written to a log. */
export function agentLine(url: string, { hasToken, isInConsole }: AgentLineOptions): string {
  const headers = hasToken ? { headers: { Authorization: 'Bearer <the token>' } } : {};
  const jig = isInConsole ? { command: 'npx', args: ['jig', 'mcp'] } : { type: 'http', url, ...headers };
  return `bean inspection for coding agents, as .mcp.json: ${JSON.stringify({ mcpServers: { jig } })}`;
}

/** The same, for the address at which a first request came in. */
export const agentLineFor = (socket: Peer, prefix: string, options: AgentLineOptions): string =>
  agentLine(addressOf(socket, `${prefix}/mcp`), options);
