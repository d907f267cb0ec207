import { DatabaseError } from '../errors.ts';

/** The protocol of a database; MariaDB uses that of MySQL. */
export type Dialect = 'postgresql' | 'mysql';

/** How to reach a database. The password is in here, so this is never shown. */
export interface ConnectionOptions {
  readonly dialect: Dialect;
  /** A folder for PostgreSQL, a file for MySQL. */
  readonly socket?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Settings of the server for these connections, as libpq writes them: `-c search_path=mine`. PostgreSQL only. */
  readonly options?: string;
  /** Further servers with the same data, of which one may be the primary. PostgreSQL only. */
  readonly otherHosts?: readonly { readonly host: string; readonly port?: number }[];
  /** Which of the servers may be used; `any` unless it is given. */
  readonly target?: SessionTarget;
  /** A pooler stands in front, which gives each transaction another connection of the server: PgBouncer in transaction mode. */
  readonly isPooled?: boolean;
  /** TLS to a database elsewhere, and whether its certificate must be a known one. */
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

/** `target_session_attrs` of libpq, without those that name a server which takes no writes. */
export type SessionTarget = 'any' | 'read-write' | 'primary';

/** How a pool behaves; times are in milliseconds. */
export interface PoolOptions {
  /** The most connections at once. */
  readonly size: number;
  readonly connectTimeout: number;
  /** 0: as long as they like. */
  readonly queryTimeout: number;
}

const dialects: Readonly<Record<string, Dialect>> = {
  'postgres:': 'postgresql',
  'postgresql:': 'postgresql',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

/** The variables of libpq that say what an address leaves out: PostgreSQL's manual, "Environment Variables". */
type LibpqVariables = Readonly<Record<string, string | undefined>>;

/**
 * How to reach the database of `DATABASE_URL`. As with the tools of PostgreSQL, what the address does not say is taken from the variables
 * of libpq. The message of a refusal never repeats the address: it holds a password.
 */
export function parseAddress(address: string, variables: LibpqVariables = {}): ConnectionOptions {
  const [first, ...others] = splitHosts(address);
  const url = first !== undefined && URL.canParse(first) ? new URL(first) : undefined;
  const dialect = url === undefined ? undefined : dialects[url.protocol];
  if (url === undefined || dialect === undefined) throw invalid('it must begin with postgres:// or mysql://');
  const said = (name: string) => url.searchParams.get(name) || undefined;
  const defaults = dialect === 'postgresql' ? variables : {};
  const user = decode(url.username) || said('user') || defaults.PGUSER || '';
  if (user === '') throw invalid('it names no user');
  const database = decode(url.pathname.slice(1)) || defaults.PGDATABASE || user;
  const host = said('host') ?? (url.hostname.replace(/^\[|\]$/g, '') || defaults.PGHOST || 'localhost');
  const socket = said('socket') ?? said('socketPath') ?? (host.startsWith('/') ? host : undefined);
  const port = portOf(url.port || defaults.PGPORT);
  const options = dialect === 'postgresql' ? said('options') || defaults.PGOPTIONS : undefined;
  if (others.length > 0 && (dialect !== 'postgresql' || socket !== undefined))
    throw invalid('only an address of PostgreSQL may name several hosts');
  const otherHosts = others.map(parseHost);
  const target = targetOf(dialect === 'postgresql' ? said('target_session_attrs') : undefined);
  const isPooled = dialect === 'postgresql' && said('pgbouncer') === 'true';
  const tls = tlsOf(said('sslmode') ?? said('ssl-mode') ?? (defaults.PGSSLMODE || 'disable'));
  return {
    dialect,
    ...(socket === undefined ? { host } : { socket }),
    ...(port === undefined ? {} : { port }),
    user,
    password: decode(url.password) || said('password') || defaults.PGPASSWORD || '',
    database,
    ...(options ? { options } : {}),
    ...(otherHosts.length === 0 ? {} : { otherHosts }),
    ...(target === 'any' ? {} : { target }),
    ...(isPooled ? { isPooled } : {}),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** The same address without the password, for people to read and to give to a tool. */
export function formatAddress({
  dialect,
  socket,
  host = 'localhost',
  port,
  otherHosts = [],
  user,
  database,
}: ConnectionOptions): string {
  const hosts = [{ host, ...(port === undefined ? {} : { port }) }, ...otherHosts];
  const where =
    socket === undefined
      ? hosts.map((each) => `${each.host}${each.port === undefined ? '' : `:${each.port}`}`).join(',')
      : 'localhost';
  const way = socket === undefined ? '' : `${dialect === 'postgresql' ? 'host' : 'socket'}=${socket}&`;
  return `${dialect}://${where}/${encodeURIComponent(database)}?${way}user=${encodeURIComponent(user)}`;
}

/** The address with its first host alone, as `URL` can read it, and the other hosts as they are written. */
function splitHosts(address: string): [string?, ...string[]] {
  const [beginning = '', scheme = '', authority = ''] = /^(\w+:\/\/)([^/?#]*)/.exec(address) ?? [];
  if (beginning === '') return [address];
  const start = authority.lastIndexOf('@') + 1;
  const [first = '', ...others] = authority.slice(start).split(',');
  return [scheme + authority.slice(0, start) + first + address.slice(beginning.length), ...others];
}

function parseHost(text: string): { host: string; port?: number } {
  const [, literal, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = literal ?? name;
  if (host === undefined) throw invalid('a host of it is no host:port');
  const number = portOf(port);
  return number === undefined ? { host } : { host, port: number };
}

function targetOf(attributes = 'any'): SessionTarget {
  if (attributes === 'any' || attributes === 'read-write' || attributes === 'primary') return attributes;
  throw invalid('its target_session_attrs must be any, read-write or primary, since sessions are written');
}

/** The modes of libpq. TLS requires a trusted certificate, unless the mode is `no-verify`. */
function tlsOf(mode: string): ConnectionOptions['tls'] {
  switch (mode.toLowerCase()) {
    case 'disable':
    case 'disabled':
      return undefined;
    case 'no-verify':
      return { rejectUnauthorized: false };
    case 'prefer':
    case 'require':
    case 'required':
    case 'verify-ca':
    case 'verify_ca':
    case 'verify-full':
    case 'verify_identity':
      return { rejectUnauthorized: true };
    default:
      throw invalid('its sslmode (or PGSSLMODE) must be disable, require, verify-full or no-verify');
  }
}

function portOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw invalid('its port (or PGPORT) must be a number from 1 to 65535');
  return port;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('it has a % that is no escape');
  }
}

function invalid(why: string): Error {
  return new DatabaseError(
    'JIG_DATABASE_ADDRESS_INVALID',
    `The address of the database in DATABASE_URL cannot be used: ${why}.`,
  );
}
