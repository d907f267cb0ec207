import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** An address without its query. */
export function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path;
}

/** Whether an `If-None-Match` header names the tag, by the weak comparison that RFC 9110, section 13.1.2 asks for. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/**
 * Whether a browser says that a page of another site sent this request. It says the site only over HTTPS or to its own
 * machine, and knows it best, also behind a proxy that changes the host; else the origin tells. Other clients say neither.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== request.host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase();
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** An IPv4 address in the clothes of IPv6, as sockets that take both have it, is an IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = plainAddress(address);
  // The list knows every way to write an address of IPv6, but makes an object for each that it is asked for.
  if (isIPv4(plain)) return plain.startsWith('127.');
  return plain === '::1' || (isIPv6(plain) && loopback.check(plain, 'ipv6'));
}

/** Headers by which a request shows that its sender is not the one who holds the connection. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'];

/** Whether the sender is on this machine: over its loopback, and not through a proxy, which may ask for anybody. What a proxy says of its client is not believed here, whatever `server.trustProxy` is. */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress) && proxyHeaders.every((name) => headers[name] === undefined);
}

/**
 * Whether the request addresses the server by names of this machine only, or by those given in lower case. A page whose name was made to
 * point here (DNS rebinding) comes with that name.
 */
export function isForThisMachine(
  { raw, socket, originalUrl }: FastifyRequest,
  hosts: ReadonlySet<string> = new Set(),
): boolean {
  const names = [...hostsInHead(raw.rawHeaders), ...hostsInTarget(originalUrl)].map(hostNameOf);
  return (
    names.length > 0 &&
    names.every((name) => name !== undefined && (hosts.has(name) || isOwnName(name, socket.localAddress)))
  );
}

/** Every `Host` header: Node keeps the first of several, and who stands between may have gone by another. */
const hostsInHead = (head: readonly string[]) =>
  head.filter((_, index) => index % 2 === 1 && head[index - 1]?.toLowerCase() === 'host');

/** The host that a request line names when it has a whole address, which then counts before the `Host` header (RFC 9112, section 3.2.2). */
function hostsInTarget(target: string): string[] {
  const [, host] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target) ?? [];
  return host === undefined ? [] : [host];
}

/** The name or address in a `Host` header, without port and brackets, in lower case; undefined when it is malformed. */
export function hostNameOf(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/@\\?#]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Whether a host name cannot but mean this machine, so that no page from elsewhere can have been served under it. */
function isOwnName(name: string, localAddress: string | undefined): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true;
  return isIP(name) !== 0 && localAddress !== undefined && plainAddress(localAddress) === plainAddress(name);
}
