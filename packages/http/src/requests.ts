import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

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

/** Dual-stack sockets report IPv4 addresses as IPv4-mapped IPv6. */
function withoutIPv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = withoutIPv6Prefix(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** Headers that proxies add; each known proxy adds at least one of these. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'via',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
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
const hostHeaders = (head: readonly string[]) =>
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
