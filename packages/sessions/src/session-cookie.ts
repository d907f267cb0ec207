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

interface SignedId {
  readonly id: string;
  readonly signature: string;
}

/** To sign an id takes as long as the rest of a session in a request. Each takes 300 bytes of memory. */
const maxSigned = 10_000;

/** The cookie with the signed id. Malformed, forged and repeated cookies are ignored. */
export class SessionCookie {
  readonly #name: string;
  readonly #secrets: readonly [string, ...string[]];
  readonly #maximumAge: number;
  /** By the first secret, of ids that this process has made or verified. */
  readonly #signed = new Map<string, SignedId>();

  constructor({ name, secrets, timeToLive }: SessionCookieOptions) {
    this.#name = name;
    this.#secrets = secrets;
    this.#maximumAge = Math.ceil(timeToLive / 1000);
  }

  /** Of 256 random bits. */
  newId(): string {
    return randomBytes(32).toString('base64url');
  }

  /** The id, if this server has signed it. */
  read(request: FastifyRequest): string | undefined {
    const header = request.raw.headers.cookie;
    const signed = header && onlyValue(header, `${this.#nameFor(request)}=`);
    if (!signed || !signedForm.test(signed)) return undefined;
    const [given, signature] = [signed.slice(0, idLength), signed.slice(idLength + 1)];
    const known = this.#signed.get(given);
    if (known?.signature === signature) return known.id;
    // A copy, since a substring keeps the whole header in memory.
    const id = Buffer.from(given, 'latin1').toString('latin1');
    const isSignedBy = (secret: string) => timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, secret)));
    if (!this.#secrets.some(isSignedBy)) return undefined;
    this.#sign(id);
    return id;
  }

  send(reply: FastifyReply, id: string): void {
    this.#set(reply, `${id}.${this.#sign(id)}`, this.#maximumAge);
  }

  clear(reply: FastifyReply): void {
    this.#set(reply, '', 0);
  }

  #sign(id: string): string {
    const known = this.#signed.get(id);
    if (known !== undefined) return known.signature;
    const signature = sign(id, this.#secrets[0]);
    if (this.#signed.size >= maxSigned) this.#signed.clear();
    this.#signed.set(id, { id, signature });
    return signature;
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

/** The value of a cookie that occurs once; of two, one may be planted by an attacker. */
function onlyValue(header: string, prefix: string): string | undefined {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined;
}
