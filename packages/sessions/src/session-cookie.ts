import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface SessionCookieOptions {
  readonly name: string;
  /** The first signs, all are accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** In milliseconds. */
  readonly timeToLive: number;
}

/** 256 bits of base64url, a dot, and the 256 bits of the signature in base64. */
const signedForm = /^[\w-]{43}\.[\w+/]{43}$/;
const idLength = 43;

/** In base64 without its padding, as `@fastify/cookie` signs. */
const sign = (id: string, secret: string) => createHmac('sha256', secret).update(id).digest('base64').slice(0, -1);

export interface SessionId {
  readonly id: string;
  /** With the signature by the first secret, as in the cookie. */
  readonly signed: string;
}

/** Signing an id takes as long as all other session work of a request. A cached one takes 300 bytes of memory. */
const maxSigned = 10_000;

/** The cookie with the signed id. Malformed, forged and repeated cookies are ignored. */
export class SessionCookie {
  readonly #name: string;
  readonly #secrets: readonly [string, ...string[]];
  readonly #maximumAge: number;
  /** A cache of ids that this process has signed, by the value of the cookie. */
  readonly #signed = new Map<string, SessionId>();

  constructor({ name, secrets, timeToLive }: SessionCookieOptions) {
    this.#name = name;
    this.#secrets = secrets;
    this.#maximumAge = Math.ceil(timeToLive / 1000);
  }

  /** A new id of 256 random bits. */
  newId(): SessionId {
    return this.#sign(randomBytes(32).toString('base64url'));
  }

  /** The id, if this server has signed it. */
  read(request: FastifyRequest): SessionId | undefined {
    const header = request.raw.headers.cookie;
    const given = header && onlyValue(header, `${this.#nameFor(request)}=`);
    if (!given) return undefined;
    return this.#signed.get(given) ?? this.#verify(given);
  }

  send(reply: FastifyReply, { signed }: SessionId): void {
    this.#set(reply, signed, this.#maximumAge);
  }

  clear(reply: FastifyReply): void {
    this.#set(reply, '', 0);
  }

  #verify(given: string): SessionId | undefined {
    if (!signedForm.test(given)) return undefined;
    // A copy, since a substring keeps the whole header in memory.
    const id = Buffer.from(given.slice(0, idLength), 'latin1').toString('latin1');
    const signature = Buffer.from(given.slice(idLength + 1));
    if (!this.#secrets.some((secret) => timingSafeEqual(signature, Buffer.from(sign(id, secret))))) return undefined;
    return this.#sign(id);
  }

  #sign(id: string): SessionId {
    const sessionId = { id, signed: `${id}.${sign(id, this.#secrets[0])}` };
    if (this.#signed.size >= maxSigned) this.#signed.clear();
    this.#signed.set(sessionId.signed, sessionId);
    return sessionId;
  }

  /** Replaces our cookie if this response has set it before, and keeps other cookies. */
  #set(reply: FastifyReply, value: string, maximumAge: number): void {
    const name = this.#nameFor(reply.request);
    const secure = reply.request.protocol === 'https' ? '; Secure' : '';
    const before = reply.getHeader('set-cookie');
    if (before !== undefined) {
      reply.removeHeader('set-cookie');
      for (const other of [before].flat().map(String))
        if (!other.startsWith(`${name}=`)) reply.header('set-cookie', other);
    }
    reply.header('set-cookie', `${name}=${value}; Max-Age=${maximumAge}; Path=/; HttpOnly; SameSite=Lax${secure}`);
    // A shared cache must not hand one visitor's cookie to the next.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  }

  /** Browsers accept a `__Host-` cookie only from this host and only over HTTPS, so no subdomain can plant one. */
  #nameFor({ protocol }: FastifyRequest): string {
    return protocol === 'https' ? `__Host-${this.#name}` : this.#name;
  }
}

/** The value of a cookie that occurs exactly once: an attacker may have planted a second one. */
function onlyValue(header: string, prefix: string): string | undefined {
  let value: string | undefined;
  for (const pair of header.split(';')) {
    const trimmed = pair.trim();
    if (!trimmed.startsWith(prefix)) continue;
    if (value !== undefined) return undefined;
    value = trimmed.slice(prefix.length);
  }
  return value;
}
