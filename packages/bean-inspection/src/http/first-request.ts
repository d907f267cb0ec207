import { isLoopback, type Peer } from '@jig/http';

/** Neither production nor a test, whose output would only grow. */
export const isDevelopment = () => ['', 'development'].includes(process.env.NODE_ENV ?? '');

/** The address at which a first request came in, with a path: no client can choose it. Only the path where the socket does not tell. */
export function addressOf({ localAddress, localPort, encrypted }: Peer, path: string): string {
  if (localAddress === undefined || localPort === undefined) return path;
  const host = isLoopback(localAddress) ? 'localhost' : localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  const scheme = encrypted === true ? 'https' : 'http';
  return `${scheme}://${host}:${localPort}${path}`;
}

/** A line that says where the list of beans is. */
export const addressLine = (socket: Peer, prefix: string): string =>
  `bean inspection: the beans are at ${addressOf(socket, `${prefix}/bean`)}`;

/** A line to paste into the configuration of a coding agent. A token is not written to a log. */
export function agentLine(url: string, hasToken: boolean): string {
  const headers = hasToken ? { headers: { Authorization: 'Bearer <the token>' } } : {};
  const servers = { mcpServers: { jig: { type: 'http', url, ...headers } } };
  return `bean inspection for coding agents, as .mcp.json: ${JSON.stringify(servers)}`;
}

/** The same, for the address at which a first request came in. */
export const agentLineFor = (socket: Peer, prefix: string, hasToken: boolean): string =>
  agentLine(addressOf(socket, `${prefix}/mcp`), hasToken);
