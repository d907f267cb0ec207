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

/** What `REDIS_URL` says. Passwords are in here, so this is never shown. */
export interface RedisAddress {
  readonly mode: RedisMode;
  readonly tls: boolean;
  /** The Redis itself, the sentinels, or some nodes of the cluster, from which the others become known. */
  readonly hosts: readonly [HostAndPort, ...HostAndPort[]];
  /** Of Redis itself. */
  readonly credentials: Credentials;
  /** Of the sentinels, which have users of their own. */
  readonly sentinelCredentials: Credentials;
  readonly database: number;
  /** What the sentinels call the primary. */
  readonly primaryName: string;
}

const form = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const usualPorts = { single: 6379, sentinel: 26_379, cluster: 6379 };

/** Reads `REDIS_URL`. The message of a refusal never repeats the address: it may hold a password. */
export function parseAddress(address: string): RedisAddress {
  const parts = form.exec(address);
  if (parts === null)
    throw invalid('it must begin with redis:// or rediss://, with +sentinel or +cluster after the word if need be');
  const [, scheme = '', kind, userInfo = '', hostList = '', path = '', query = ''] = parts;
  const names = hostList.split(',');
  const mode = (kind ?? (names.length > 1 ? 'cluster' : 'single')) as RedisMode;
  const [first, ...others] = names.map((name) => parseHost(name, usualPorts[mode]));
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

/** The same address without users and passwords, for people to read. */
export function formatAddress({ mode, tls, hosts, database, primaryName }: RedisAddress): string {
  const scheme = `redis${tls ? 's' : ''}${mode === 'single' ? '' : `+${mode}`}`;
  const path = mode === 'sentinel' ? [encodeURIComponent(primaryName), database].join('/') : String(database);
  return `${scheme}://${hosts.map(formatHost).join(',')}/${path}`;
}

export function formatHost({ host, port }: HostAndPort): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function parseHost(text: string, usualPort: number): HostAndPort {
  const [, literal, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d+))?$/.exec(text) ?? [];
  if (literal === undefined && name === undefined) throw invalid('a host of it is no host:port');
  const number = Number(port ?? usualPort);
  if (number < 1 || number > 65_535) throw invalid('a port must be a number from 1 to 65535');
  return { host: literal ?? (decode(name ?? '') || 'localhost'), port: number };
}

function parsePath(mode: RedisMode, parts: readonly string[]): { primaryName: string; database: number } {
  const [primaryName = '', ...rest] = mode === 'sentinel' ? parts : ['', ...parts];
  if (mode === 'sentinel' && primaryName === '')
    throw invalid('after the sentinels stands the name of the primary, such as /mymaster');
  const [database = '0', ...more] = rest;
  if (!/^\d+$/.test(database) || more.length > 0)
    throw invalid('after the host stands the number of a database, such as /0');
  if (mode === 'cluster' && Number(database) !== 0) throw invalid('a cluster has only the database 0');
  return { primaryName, database: Number(database) };
}

/** `user:password`; older servers know only a password, which stands after a colon. */
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
      throw invalid('after a ? it may have only sentinelUser and sentinelPassword, for redis+sentinel://');
    given.set(name, decode(value));
  }
  const [username, password] = [given.get('sentinelUser'), given.get('sentinelPassword')];
  return { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('it has a % that is no escape');
  }
}

function invalid(why: string): Error {
  return new RedisError('JIG_REDIS_ADDRESS_INVALID', `The address in REDIS_URL cannot be used: ${why}.`);
}
