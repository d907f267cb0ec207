import { createHash, timingSafeEqual } from 'node:crypto';

/** A token that is only ever compared, in constant time, as hashes of equal length. */
export class Token {
  readonly #hash: Buffer;

  constructor(token: string) {
    this.#hash = hashOf(token);
  }

  /** Whether an `Authorization` header carries it: as Bearer (RFC 6750), or as the password of Basic (RFC 7617). */
  isIn(authorization: string | undefined): boolean {
    const given = givenIn(authorization);
    return given !== undefined && timingSafeEqual(hashOf(given), this.#hash);
  }
}

function givenIn(authorization = ''): string | undefined {
  const [, scheme, credentials = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  const decoded = Buffer.from(credentials, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : decoded.slice(colon + 1);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
