import { randomBytes } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An id, and how the cookie says it. */
export interface SignedId {
  readonly id: string;
  readonly signed: string;
  /** When this process last sent the cookie, by `performance.now()`. */
  sent: number;
}

/** With fewer than there are visitors, none would be found again when they come in turns. Each takes some 240 bytes. */
const idsPerGeneration = 100_000;

/**
 * Ids whose signatures were verified lately, since verifying one costs more than all the rest of a session in a request.
 * In two generations: when the newer is full, it becomes the older, and whoever was not seen since the last time goes.
 */
export class RecentIds {
  #newer = new Map<string, SignedId>();
  #older = new Map<string, SignedId>();

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  find(signed: string): SignedId | undefined {
    const known = this.#newer.get(signed);
    if (known !== undefined) return known;
    const older = this.#older.get(signed);
    if (older !== undefined) this.add(older);
    return older;
  }

  add(id: SignedId): void {
    if (this.#newer.size >= idsPerGeneration) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(id.signed, id);
  }
}

const bytesPerId = 32;
const idsPerBatch = 32;

/** New ids of 256 random bits, signed. They are made in batches, since drawing randomness for each costs more than signing it. */
export class SessionIds {
  readonly #signer: Signer;
  readonly #ready: SignedId[] = [];

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  next(): SignedId {
    return this.#ready.pop() ?? this.#makeBatch();
  }

  #makeBatch(): SignedId {
    const random = randomBytes(bytesPerId * idsPerBatch);
    for (let start = bytesPerId; start < random.length; start += bytesPerId)
      this.#ready.push(this.#make(random, start));
    return this.#make(random, 0);
  }

  #make(random: Buffer, start: number): SignedId {
    const id = random.toString('base64url', start, start + bytesPerId);
    return { id, signed: this.#signer.sign(id), sent: Number.NEGATIVE_INFINITY };
  }
}

interface SessionCookieOptions {
  readonly name: string;
  /** The first signs, all are accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** In milliseconds, as is how long a cookie that was sent need not be sent again. */
  readonly timeToLive: number;
  readonly renewInterval: number;
}

/** 256 bits of base64url, a dot, and the 256 bits of the signature in base64. */
const signedForm = /^[\w-]{43}\.[\w+/]{43}$/;
const signedLength = 87;

/** The cookie that carries the signed id. One that is malformed, forged or repeated is no cookie at all, never an error. */
export class SessionCookie {
  readonly #ids: SessionIds;
  readonly #recent = new RecentIds();
  readonly #signer: Signer;
  readonly #renewInterval: number;
  readonly #plain: CookieTexts;
  readonly #secure: CookieTexts;

  constructor({ name, secrets, timeToLive, renewInterval }: SessionCookieOptions) {
    this.#renewInterval = renewInterval;
    this.#signer = new Signer([...secrets]);
    this.#ids = new SessionIds(this.#signer);
    const attributes = 'Path=/; HttpOnly; SameSite=Lax';
    const maximumAge = `Max-Age=${Math.ceil(timeToLive / 1000)}`;
    this.#plain = cookieTexts(name, attributes, maximumAge);
    // Browsers take a `__Host-` cookie from this very host over HTTPS only, so that no subdomain can plant one; over HTTP they would refuse it.
    this.#secure = cookieTexts(`__Host-${name}`, `${attributes}; Secure`, maximumAge);
  }

  newId(): SignedId {
    return this.#ids.next();
  }

  /** The id that this server gave to the caller. */
  read(request: FastifyRequest): SignedId | undefined {
    const header = request.raw.headers.cookie;
    if (header === undefined) return undefined;
    const signed = onlyValue(header, this.#texts(request).prefix);
    if (signed?.length !== signedLength) return undefined;
    return this.#recent.find(signed) ?? this.#verify(signed);
  }

  send(reply: FastifyReply, id: SignedId): void {
    const { prefix, sent } = this.#texts(reply.request);
    setCookie(reply, prefix, prefix + id.signed + sent);
    id.sent = performance.now();
    this.#recent.add(id);
  }

  /** Sends it unless this process did a moment ago: it lives hardly longer by coming again. */
  renew(reply: FastifyReply, id: SignedId): void {
    if (performance.now() - id.sent >= this.#renewInterval) this.send(reply, id);
  }

  withdraw(reply: FastifyReply): void {
    const { prefix, withdrawn } = this.#texts(reply.request);
    setCookie(reply, prefix, `${prefix}${withdrawn}`);
  }

  #verify(signed: string): SignedId | undefined {
    if (!signedForm.test(signed)) return undefined;
    // A copy, since a part of a header keeps all of it in memory.
    const own = Buffer.from(signed, 'latin1').toString('latin1');
    const { value: id, renew } = this.#signer.unsign(own);
    if (id === null) return undefined;
    if (renew) return { id, signed: this.#signer.sign(id), sent: Number.NEGATIVE_INFINITY };
    const known = { id, signed: own, sent: Number.NEGATIVE_INFINITY };
    this.#recent.add(known);
    return known;
  }

  #texts(request: FastifyRequest): CookieTexts {
    return request.protocol === 'https' ? this.#secure : this.#plain;
  }
}

interface CookieTexts {
  readonly prefix: string;
  readonly sent: string;
  readonly withdrawn: string;
}

function cookieTexts(name: string, attributes: string, maximumAge: string): CookieTexts {
  return { prefix: `${name}=`, sent: `; ${maximumAge}; ${attributes}`, withdrawn: `; Max-Age=0; ${attributes}` };
}

/** The value of a cookie that the header names once; a second one was planted by somebody, and nobody can tell which. */
function onlyValue(header: string, prefix: string): string | undefined {
  let value: string | undefined;
  for (let at = header.indexOf(prefix); at !== -1; at = header.indexOf(prefix, at + 1)) {
    if (at > 0 && !/[; \t]/.test(header.charAt(at - 1))) continue;
    if (value !== undefined) return undefined;
    const end = header.indexOf(';', at);
    value = header.slice(at + prefix.length, end === -1 ? undefined : end).trimEnd();
  }
  return value;
}

/** Replaces what this response said of the cookie before; cookies of others stay. */
function setCookie(reply: FastifyReply, prefix: string, cookie: string): void {
  const before = reply.getHeader('set-cookie');
  if (before !== undefined) {
    reply.removeHeader('set-cookie');
    for (const other of [before].flat()) if (!String(other).startsWith(prefix)) reply.header('set-cookie', other);
  }
  reply.header('set-cookie', cookie);
  // A shared cache must not hand one visitor's cookie to the next.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}
