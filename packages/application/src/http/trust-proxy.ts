import { isIP, isIPv4 } from 'node:net';
import { refused, type Setting } from '../configuration/setting.ts';

/**
 * Whom to believe `X-Forwarded-…`: everybody, nobody, or those with these addresses, as Fastify takes it. Fastify believes nobody when it
 * is given a number of proxies, since a client that connects directly could pretend to come through as many.
 */
export type TrustProxy = boolean | string[];

/** The names that Fastify knows for private addresses. */
const namedSubnets = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isSubnet(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  if (namedSubnets.has(text)) return true;
  if (isIP(address) === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128));
}

function parse(value: unknown): TrustProxy | typeof refused {
  if (typeof value === 'boolean') return value;
  const text = Array.isArray(value) ? value.join(',') : String(value).trim();
  if (['true', 'yes', 'on'].includes(text.toLowerCase())) return true;
  if (['false', 'no', 'off'].includes(text.toLowerCase())) return false;
  const subnets = text.split(',').map((item) => item.trim());
  return subnets.every(isSubnet) ? subnets : refused;
}

/** The setting `server.trustProxy`. */
export function trustProxySetting(description: string): Setting<TrustProxy> {
  return {
    description,
    default: false,
    secret: false,
    bareFlag: 'true',
    expected: 'true, false, or a list of addresses and subnets such as 10.0.0.0/8',
    parse,
    show: (value) => (Array.isArray(value) ? value.join(', ') : String(value)),
  };
}
