import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** A request, as the access rules and the controller see it. */
export interface InspectionRequest<Context = unknown> {
  readonly raw: IncomingMessage;
  /** The target of the request line, before a framework cut anything off. */
  readonly url: string;
  /** What all addresses begin with; links do too. */
  readonly prefix: string;
  /** The host that the client addressed; with a trusted proxy, the one that the proxy names. */
  readonly host: string;
  /** For the source, to create beans of request scope. */
  readonly context: Context;
  /** The body, where a body parser of the framework has read it already; undefined where none has. */
  readonly parsedBody?: (() => unknown) | undefined;
}

/**
 * Whether a browser says that a page of another site sent this request. `Sec-Fetch-Site` is sent over HTTPS or to the own machine only and is
 * right also behind a proxy that changes the host; otherwise `Origin` tells. Other clients send neither.
 */
export function isCrossSite({ raw, host }: InspectionRequest): boolean {
  const { origin, 'sec-fetch-site': site } = raw.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() !== host.toLowerCase();
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Sockets that take IPv4 and IPv6 write an IPv4 address as one of IPv6. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = plainAddress(address);
  // The list knows every way to write an address of IPv6, but creates an object for each question.
  if (isIPv4(plain)) return plain.startsWith('127.');
  return plain === '::1' || (isIPv6(plain) && loopback.check(plain, 'ipv6'));
}

/** Headers of proxies, which forward requests of other machines. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-envoy-external-address',
  'x-amzn-trace-id',
  'x-original-forwarded-for',
  'x-original-host',
  'x-cluster-client-ip',
];

/**
 * Whether the client is on this machine: over its loopback and not through a proxy, whether or not that is trusted. A proxy that adds no
 * header cannot be told apart; but nginx speaks HTTP/1.0 unless told otherwise, which no browser and no current client does.
 */
export function isFromThisMachine({ raw: { headers, httpVersion, socket } }: InspectionRequest): boolean {
  if (!isLoopback(socket.remoteAddress) || httpVersion === '1.0') return false;
  return proxyHeaders.every((name) => headers[name] === undefined);
}

/** Whether all names by which the request addresses the server are names of this machine, or given. Prevents DNS rebinding. */
export function isForThisMachine({ raw, url }: InspectionRequest, hosts: ReadonlySet<string>): boolean {
  const names = [...hostHeaders(raw.rawHeaders), ...hostInTarget(url)].map(hostNameOf);
  return (
    names.length > 0 &&
    names.every((name) => name !== undefined && (hosts.has(name) || isOwnName(name, raw.socket.localAddress)))
  );
}

/** Every `Host` header: Node keeps the first of several, and a proxy in between may have used another. */
const hostHeaders = (head: readonly string[]) =>
  head.filter((_, index) => index % 2 === 1 && isHostName(head[index - 1] ?? ''));

/** HTTP/2 has a pseudo-header in place of `Host`. */
const isHostName = (name: string) => (name.length === 4 && name.toLowerCase() === 'host') || name === ':authority';

/** The host in a request line with a whole URL, which overrides the `Host` header (RFC 9112, section 3.2.2). */
const hostInTarget = (target: string) => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.slice(1) ?? [];

/** The name or address in a `Host` header, without port and brackets, in lower case; undefined when it is malformed. */
export function hostNameOf(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/@\\?#]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Whether a host name always means this machine, so that no page from elsewhere can have been served under it. */
function isOwnName(name: string, localAddress: string | undefined): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true;
  return isIP(name) !== 0 && localAddress !== undefined && plainAddress(localAddress) === plainAddress(name);
}
