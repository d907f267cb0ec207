import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** One end of a connection, as a socket of `node:net` has it. */
export interface Peer {
  /** The address of the client. */
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly encrypted?: boolean | undefined;
}

/** The part of a request that the rules below use, as in `node:http`. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  readonly socket: Peer;
}

/** The path of a URL, without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Whether `If-None-Match` contains the tag, by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/**
 * Whether a browser sent this request for a page of another site. `Sec-Fetch-Site` is reliable even if a proxy changes the host, but browsers
 * send it only over HTTPS and to localhost; otherwise `Origin` decides. Other clients send neither.
 * @param host the requested host; behind a trusted proxy, `X-Forwarded-Host`
 */
export function isCrossSite({ raw, host }: { readonly raw: RequestHead; readonly host: string }): boolean {
  const { origin, 'sec-fetch-site': site } = raw.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase();
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Dual-stack sockets report IPv4 addresses as IPv4-mapped IPv6. */
function withoutIPv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = withoutIPv6Prefix(address);
  // The list understands every spelling of an IPv6 address, but is slower.
  if (isIPv4(plain)) return plain.startsWith('127.');
  return plain === '::1' || (isIPv6(plain) && loopback.check(plain, 'ipv6'));
}

/** Headers that a proxy adds. */
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
 * Whether the client is on this machine: it connects over the loopback and not through a proxy, whose client may be anywhere. A proxy that adds
 * no header cannot be recognised. HTTP/1.0 is treated as proxied: nginx uses it by default, browsers do not.
 */
export function isFromThisMachine({ headers, httpVersion, socket }: RequestHead): boolean {
  if (!isLoopback(socket.remoteAddress) || httpVersion === '1.0') return false;
  return proxyHeaders.every((name) => headers[name] === undefined);
}

/**
 * Whether the request names only this machine or the given hosts (in lower case). In a DNS rebinding attack, it names the attacker's host.
 * @param target the unchanged target of the request line
 */
export function isForThisMachine(
  { rawHeaders, socket }: RequestHead,
  target: string,
  hosts: ReadonlySet<string> = new Set(),
): boolean {
  const names = [...hostHeaders(rawHeaders), ...hostOfTarget(target)].map(hostNameOf);
  return (
    names.length > 0 &&
    names.every((name) => name !== undefined && (hosts.has(name) || isNameOfThisMachine(name, socket.localAddress)))
  );
}

/** All `Host` headers, or `:authority` of HTTP/2. Node keeps only the first, but a proxy may have used another. */
export const hostHeaders = (head: readonly string[]) =>
  head.filter((_, index) => index % 2 === 1 && namesHost(head[index - 1] ?? ''));

const namesHost = (header: string) =>
  (header.length === 4 && header.toLowerCase() === 'host') || header === ':authority';

/** The host of a target in absolute form, which overrides `Host` (RFC 9112, section 3.2.2). */
const hostOfTarget = (target: string) => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.slice(1) ?? [];

/** The lower-case name or address in a `Host` header, without port and brackets; undefined if malformed. */
export function hostNameOf(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/@\\?#]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Whether a host name always means this machine. */
function isNameOfThisMachine(name: string, localAddress: string | undefined): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true;
  return isIP(name) !== 0 && localAddress !== undefined && withoutIPv6Prefix(localAddress) === withoutIPv6Prefix(name);
}
