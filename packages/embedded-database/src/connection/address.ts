import { DatabaseError } from '../errors.ts';

/** How to reach a database. The password is in here, so this is never shown. */
export interface ConnectionOptions {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** What the server calls this connection. */
  readonly application?: string;
  /** TLS to a database elsewhere, and whether its certificate must be a known one. */
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

/** The modes of libpq that make sense here. TLS requires a trusted certificate, unless the mode is `no-verify`. */
const tlsModes: Readonly<Record<string, ConnectionOptions['tls']>> = {
  disable: undefined,
  'no-verify': { rejectUnauthorized: false },
  prefer: { rejectUnauthorized: true },
  require: { rejectUnauthorized: true },
  'verify-ca': { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true },
};

/**
 * Parses `DATABASE_URL`. As in libpq, what the address leaves out comes from the `PG…` variables. Error messages never repeat the address,
 * since it may contain a password.
 */
export function parseAddress(
  address: string,
  defaults: Readonly<Record<string, string | undefined>> = {},
): ConnectionOptions {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) throw invalid('it must begin with postgres://');
  const parameter = (name: string) => url.searchParams.get(name) || undefined;
  const user = decode(url.username) || parameter('user') || defaults.PGUSER;
  if (user === undefined) throw invalid('it names no user');
  const host = parameter('host') ?? (url.hostname.replace(/^\[|\]$/g, '') || defaults.PGHOST || 'localhost');
  const port = url.port || defaults.PGPORT;
  const mode = parameter('sslmode') ?? defaults.PGSSLMODE ?? 'disable';
  if (!Object.hasOwn(tlsModes, mode))
    throw invalid('its sslmode (or PGSSLMODE) must be disable, require, verify-full or no-verify');
  return {
    host,
    ...(port ? { port: Number(port) } : {}),
    user,
    password: decode(url.password) || parameter('password') || defaults.PGPASSWORD || '',
    database: decode(url.pathname.slice(1)) || defaults.PGDATABASE || user,
    ...(tlsModes[mode] === undefined ? {} : { tls: tlsModes[mode] }),
  };
}

/** The same address without the password, for people to read and to give to a tool. */
export function formatAddress({ host, port, user, database }: ConnectionOptions): string {
  const isSocket = host.startsWith('/');
  const where = isSocket ? 'localhost' : `${host}${port === undefined ? '' : `:${port}`}`;
  const socketQuery = isSocket ? `host=${host}&` : '';
  return `postgresql://${where}/${encodeURIComponent(database)}?${socketQuery}user=${encodeURIComponent(user)}`;
}

/** How programs reach one database: `url` for most of them, `environment` for those that read variables. Both hold the password. */
export interface DatabaseAddress {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The address of a database as clients take it. */
export function databaseAddress({ user, password, database, host, port = 5432 }: ConnectionOptions): DatabaseAddress {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const isSocket = host.startsWith('/');
  const socketQuery = isSocket ? `?host=${encodeURIComponent(host)}` : '';
  const url = `postgresql://${credentials}@${isSocket ? 'localhost' : host}:${port}/${encodeURIComponent(database)}${socketQuery}`;
  const environment = {
    DATABASE_URL: url,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: 'disable',
  };
  return { url, environment };
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
