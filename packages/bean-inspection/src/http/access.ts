import { createHash, timingSafeEqual } from 'node:crypto';
import { isCrossSite, isForThisMachine, isFromThisMachine } from '@jig/http';
import { BeanProblem } from './problem.ts';
import type { InspectionRequest } from './request.ts';

/** Who may see beans, and which. */
export interface AccessRules {
  /** Gives access from any machine; without one, only this machine has access. */
  readonly token?: string | undefined;
  /** Host names of the server, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Names of beans that can be inspected (`*`: any text); all if empty. */
  readonly allow: readonly string[];
  /** Names of beans that cannot be inspected; overrides `allow`. */
  readonly deny: readonly string[];
}

/** How error messages name an option, such as `the option token of beanInspection`. */
export type OptionName = (option: keyof AccessRules | 'mcp') => string;

/** Basic comes first, or Chromium does not ask for a password. */
const challenge = 'Basic realm="beans", charset="UTF-8", Bearer realm="beans"';

/** Every forbidden says how to allow the request. */
export class Access {
  readonly #token: Token | undefined;
  readonly #hosts: ReadonlySet<string>;
  readonly #allowed: readonly RegExp[];
  readonly #denied: readonly RegExp[];
  readonly #optionName: OptionName;

  constructor({ token, hosts, allow, deny }: AccessRules, optionName: OptionName) {
    this.#optionName = optionName;
    this.#token = token === undefined ? undefined : new Token(token);
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()));
    this.#allowed = allow.map(toPattern);
    this.#denied = deny.map(toPattern);
  }

  /** Throws unless the client may see beans. */
  check(request: InspectionRequest): void {
    // Only the user of this process can open its socket, and only instances with the same rules forward requests.
    if (request.isOverSocket === true) return;
    if (!isForThisMachine(request.raw, request.url, this.#hosts))
      throw forbidden(
        `Beans are not shown under this host name; add it to ${this.#optionName('hosts')}, or use localhost.`,
      );
    if (isCrossSite(request))
      throw forbidden('Beans are not shown to pages of other sites; open the address itself in the browser.');
    const { raw } = request;
    if (this.#token === undefined && isFromThisMachine(raw)) return;
    if (this.#token === undefined)
      throw forbidden(
        `Beans are shown on this machine only, over localhost and not through a proxy (HTTP/1.0 is treated as proxied); set ${this.#optionName('token')} to look from elsewhere.`,
      );
    if (this.#token.isIn(raw.headers.authorization)) return;
    const how = 'as Authorization: Bearer, or as the password of Basic with any name';
    throw new BeanProblem(401, `This needs the token in ${this.#optionName('token')}: ${how}.`, {
      headers: { 'www-authenticate': challenge },
    });
  }

  /** Whether all beans can be inspected. */
  get isOpenToAll(): boolean {
    return this.#allowed.length === 0 && this.#denied.length === 0;
  }

  isOpen(bean: string): boolean {
    if (this.#denied.some((pattern) => pattern.test(bean))) return false;
    return this.#allowed.length === 0 || this.#allowed.some((pattern) => pattern.test(bean));
  }

  checkBean(bean: string): void {
    if (!this.isOpen(bean)) throw forbidden(this.closedBeanMessage);
  }

  /** The message for a closed bean. */
  get closedBeanMessage(): string {
    return `This bean is closed; ${this.#optionName('allow')} and ${this.#optionName('deny')} say which are.`;
  }
}

const forbidden = (detail: string) => new BeanProblem(403, detail);

/** A name with `*` for any text. */
function toPattern(text: string): RegExp {
  const literals = text.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}

/** Compared in constant time, as hashes of equal length. */
export class Token {
  readonly #hash: Buffer;

  constructor(token: string) {
    this.#hash = hashOf(token);
  }

  is(given: string | undefined): boolean {
    return given !== undefined && timingSafeEqual(hashOf(given), this.#hash);
  }

  /** Whether an `Authorization` header has it: as Bearer (RFC 6750), or as the password of Basic (RFC 7617). */
  isIn(authorization: string | undefined): boolean {
    return this.is(tokenIn(authorization));
  }
}

function tokenIn(authorization = ''): string | undefined {
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
