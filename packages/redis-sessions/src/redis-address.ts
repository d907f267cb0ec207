import { isIPv6 } from 'node:net';
import { RedisError } from './errors.ts';

/** One Redis, the primary that sentinels name, or a cluster. */
export type RedisMode = 'single' | 'sentinel' | 'cluster';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/** The parsed `REDIS_URL`, with passwords: never show it. */
export interface RedisAddress {
  readonly mode: RedisMode;
  readonly tls: boolean;
  /** The server, the sentinels, or some nodes of the cluster. */
  readonly hosts: readonly [HostAndPort, ...HostAndPort[]];
  /** For Redis itself. */
  readonly credentials: Credentials;
  /** For the sentinels, which have their own users. */
  readonly sentinelCredentials: Credentials;
  readonly database: number;
  /** What the sentinels call the primary. */
  readonly primaryName: string;
}

const form = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const defaultPorts = { single: 6379, sentinel: 26_379, cluster: 6379 };

/** Parses `REDIS_URL`. Error messages never repeat it, since it may contain a password. */
export function parseAddress(address: string): RedisAddress {
  const parts = form.exec(address);
  if (parts === null)
    throw invalid('it must begin with redis:// or rediss://, optionally with +sentinel or +cluster before the colon');
  const [, scheme = '', kind, userInfo = '', hostList = '', path = '', query = ''] = parts;
  const names = hostList.split(',');
  const mode = (kind ?? (names.length > 1 ? 'cluster' : 'single')) as RedisMode;
  const [first, ...others] = names.map((name) => parseHost(name, defaultPorts[mode]));
  const { primaryName, database } = parsePath(mode, path.split('/').filter(Boolean).map(decode));
  return {
    mode,
    tls: scheme === 'rediss',
    hosts: [first as HostAndPort, ...others],
    credentials: parseCredentials(userInfo),
    sentinelCredentials: parseQuery(mode, query),
    database,
    primaryName,
  };
}

/** The address without users and passwords. */
export function formatAddress({ mode, tls, hosts, database, primaryName }: RedisAddress): string {
  const scheme = `redis${tls ? 's' : ''}${mode === 'single' ? '' : `+${mode}`}`;
  const path = mode === 'sentinel' ? [encodeURIComponent(primaryName), database].join('/') : String(database);
  return `${scheme}://${hosts.map(formatHost).join(',')}/${path}`;
}

export function formatHost({ host, port }: HostAndPort): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function parseHost(text: string, defaultPort: number): HostAndPort {
  const [, literal, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d+))?$/.exec(text) ?? [];
  if (literal === undefined && name === undefined) throw invalid('one of its hosts is not host:port');
  const number = Number(port ?? defaultPort);
  if (number < 1 || number > 65_535) throw invalid('a port must be a number from 1 to 65535');
  return { host: literal ?? (decode(name ?? '') || 'localhost'), port: number };
}

function parsePath(mode: RedisMode, parts: readonly string[]): { primaryName: string; database: number } {
  const [primaryName = '', ...rest] = mode === 'sentinel' ? parts : ['', ...parts];
  if (mode === 'sentinel' && primaryName === '')
    throw invalid('the sentinels must be followed by the name of the primary, such as /mymaster');
  const [database = '0', ...more] = rest;
  if (!/^\d+$/.test(database) || more.length > 0)
    throw invalid('the host may be followed only by the number of a database, such as /0');
  if (mode === 'cluster' && Number(database) !== 0) throw invalid('a cluster has only the database 0');
  return { primaryName, database: Number(database) };
}

/** `user:password`, or `:password` for older servers. */
function parseCredentials(userInfo: string): Credentials {
  const colon = userInfo.indexOf(':');
  const username = decode(colon === -1 ? userInfo : userInfo.slice(0, colon));
  const password = colon === -1 ? '' : decode(userInfo.slice(colon + 1));
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function parseQuery(mode: RedisMode, query: string): Credentials {
  const given = new Map<string, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    if (mode !== 'sentinel' || !['sentinelUser', 'sentinelPassword'].includes(name))
      throw invalid('its only parameters are sentinelUser and sentinelPassword, for redis+sentinel://');
    given.set(name, decode(value));
  }
  const [username, password] = [given.get('sentinelUser'), given.get('sentinelPassword')];
  return { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('it contains a % that is not an escape');
  }
}

function invalid(why: string): Error {
  return new RedisError('JIG_REDIS_ADDRESS_INVALID', `The address in REDIS_URL cannot be used: ${why}.`);
}
