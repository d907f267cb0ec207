import { RedisError } from './errors.ts';

/** The address in `REDIS_URL`. The message of a refusal never repeats it: it may hold a password. */
export function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol))
    throw invalid('it must begin with redis:// or rediss://');
  if (!/^\/?\d*$/.test(url.pathname)) throw invalid('after the host stands the number of a database, such as /0');
  if (![url.username, url.password].every(isEncoded)) throw invalid('it has a % that is no escape');
  return url;
}

/** The same address without user and password, for people to read. */
export function formatAddress({ protocol, hostname, port, pathname }: URL): string {
  return `${protocol}//${hostname || 'localhost'}:${port || '6379'}/${pathname.slice(1) || '0'}`;
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function invalid(why: string): Error {
  return new RedisError('JIG_REDIS_ADDRESS_INVALID', `The address in REDIS_URL cannot be used: ${why}.`);
}
