import type { ConnectionOptions, Dialect } from './engines/engine.ts';
import { databaseError } from './errors.ts';

const dialects: Readonly<Record<string, Dialect>> = {
  'postgres:': 'postgresql',
  'postgresql:': 'postgresql',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

/** How to reach the database of `DATABASE_URL`. The message of a refusal never repeats the address: it holds a password. */
export function parseAddress(address: string): ConnectionOptions {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const dialect = url === undefined ? undefined : dialects[url.protocol];
  if (url === undefined || dialect === undefined) throw invalid('it must begin with postgres:// or mysql://');
  const user = decode(url.username) || (url.searchParams.get('user') ?? '');
  const database = decode(url.pathname.slice(1)) || user;
  if (user === '') throw invalid('it names no user');
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '');
  const socket = url.searchParams.get('socket') ?? (host.startsWith('/') ? host : undefined);
  const tls = tlsOf(url.searchParams.get('sslmode') ?? url.searchParams.get('ssl-mode') ?? 'disable');
  return {
    dialect,
    ...(socket === undefined ? { host: host || 'localhost' } : { socket }),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    user,
    password: decode(url.password),
    database,
    ...(tls === undefined ? {} : { tls }),
  };
}

/** The same address without the password, for people to read and to give to a tool. */
export function formatAddress({
  dialect,
  socket,
  host = 'localhost',
  port,
  user,
  database,
}: ConnectionOptions): string {
  const where = socket === undefined ? `${host}${port === undefined ? '' : `:${port}`}` : 'localhost';
  const way = socket === undefined ? '' : `${dialect === 'postgresql' ? 'host' : 'socket'}=${socket}&`;
  return `${dialect}://${where}/${encodeURIComponent(database)}?${way}user=${encodeURIComponent(user)}`;
}

/** The words of libpq; whatever asks for TLS here also wants a certificate that is known, unless it says `no-verify`. */
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
      throw invalid('its sslmode must be disable, require, verify-full or no-verify');
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('it has a % that is no escape');
  }
}

function invalid(why: string): Error {
  return databaseError(
    'JIG_DATABASE_ADDRESS_INVALID',
    `The address of the database in DATABASE_URL cannot be used: ${why}.`,
  );
}
