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

/** What the rules below use of a request; one of `node:http` has it. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  readonly socket: Peer;
}

/** The path of a URL, without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Whether an `If-None-Match` header names the tag, by the weak comparison that RFC 9110, section 13.1.2 asks for. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/**
 * Whether a browser sent this request for a page of another site. `Sec-Fetch-Site` is right even behind a proxy that changes the host, but
 * browsers send it only over HTTPS and to localhost; otherwise `Origin` decides. Clients other than browsers send neither.
 * @param host the one that the client addressed; with a trusted proxy, the one that the proxy names
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

/** The IPv4 address in an IPv4-mapped IPv6 address, which dual-stack sockets report. */
function withoutIPv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = withoutIPv6Prefix(address);
  // The list knows every spelling of an IPv6 address, but creates an object for each check.
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
 * Whether the client is on this machine: over loopback, and not through a proxy, whose client may be anywhere, be it trusted or not.
 * A proxy that adds no header cannot be told apart; but nginx speaks HTTP/1.0 unless told otherwise, which no browser and no current client
 * does.
 */
export function isFromThisMachine({ headers, httpVersion, socket }: RequestHead): boolean {
  if (!isLoopback(socket.remoteAddress) || httpVersion === '1.0') return false;
  return proxyHeaders.every((name) => headers[name] === undefined);
}

/**
 * Whether the request addresses the server only by names of this machine, or by the given ones (in lower case). In a DNS rebinding attack,
 * the request has the name of the attacker's page.
 * @param target of the request line, before a framework cut anything off
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

/** Every `Host` header: Node keeps the first of several, and a proxy may have used another. HTTP/2 has a pseudo-header in its place. */
export const hostHeaders = (head: readonly string[]) =>
  head.filter((_, index) => index % 2 === 1 && namesHost(head[index - 1] ?? ''));

const namesHost = (header: string) =>
  (header.length === 4 && header.toLowerCase() === 'host') || header === ':authority';

/** The host of a target in absolute form, which precedes the `Host` header (RFC 9112, section 3.2.2). */
const hostOfTarget = (target: string) => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.slice(1) ?? [];

/** The name or address in a `Host` header, without port and brackets, in lower case; undefined when it is malformed. */
export function hostNameOf(host: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/@\\?#]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Whether a host name always means this machine, so that no page from elsewhere can have it. */
function isNameOfThisMachine(name: string, localAddress: string | undefined): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true;
  return isIP(name) !== 0 && localAddress !== undefined && withoutIPv6Prefix(localAddress) === withoutIPv6Prefix(name);
}
