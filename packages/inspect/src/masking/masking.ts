import { NameRules } from './name-rules.ts';
import { everything, nothing, type Secrecy, secrecyOfKey, textsAndNumbers } from './secret-key.ts';
import { maskMark, SecretFinder } from './secrets.ts';

/** An entry that is about to be written, as an application's own masking sees it. */
export interface MaskableEntry {
  /** The JSON Pointer (RFC 6901) of the entry, from the bean's root. */
  readonly path: string;
  readonly key: string;
  readonly value: unknown;
}

/** Names of keys, with `*` for any text and in any case; patterns of keys; and JSON Pointers (RFC 6901), which begin with `/`. */
export type NamedEntries = Iterable<string | RegExp>;

export interface MaskingOptions {
  /** Masks further entries, whatever they hold: by name, or by a function. An error in it masks the entry. */
  readonly mask?: NamedEntries | ((entry: MaskableEntry) => boolean) | undefined;
  /** Entries that are shown although their key looks secret. */
  readonly reveal?: NamedEntries | undefined;
  /** Values of at least six characters that are masked wherever they occur. */
  readonly secrets?: Iterable<string> | SecretFinder | undefined;
}

/** Decides what is secret, for keys before their values are read, and for every text. */
export class Masking {
  readonly secrets: SecretFinder;
  /** Whether the path of an entry matters, which only an application's own rules make it do. */
  readonly needsPaths: boolean;
  /** Whether an application has named keys, so that a key itself does not tell what is secret. */
  readonly hasNames: boolean;
  readonly #mask: ((entry: MaskableEntry) => boolean) | undefined;
  readonly #masked: NameRules;
  readonly #revealed: NameRules;

  constructor({ mask, reveal = [], secrets = [] }: MaskingOptions = {}) {
    this.secrets = secrets instanceof SecretFinder ? secrets : new SecretFinder(secrets);
    this.#mask = typeof mask === 'function' ? mask : undefined;
    this.#masked = new NameRules(typeof mask === 'function' ? [] : (mask ?? []));
    this.#revealed = new NameRules(reveal);
    this.hasNames = this.#masked.hasNames || this.#revealed.hasNames;
    this.needsPaths = this.#mask !== undefined || this.#masked.hasPointers || this.#revealed.hasPointers;
  }

  /** What of the value behind a key must not be shown; a container may pass on what it stands under. */
  secrecyOf(key: string, path: () => string, inherited: Secrecy = nothing): Secrecy {
    if (this.#masked.matches(key, path)) return everything;
    const own = secrecyOfKey(key);
    const secrecy = own > inherited ? own : inherited;
    return secrecy !== nothing && this.#revealed.matches(key, path) ? nothing : secrecy;
  }

  /** Asked of every entry, items of lists too, where the application's own rules need paths. */
  hidesEntry(key: string, value: unknown, path: () => string): boolean {
    try {
      if (this.#masked.matchesPath(path)) return true;
      return this.#mask?.({ path: path(), key, value }) === true;
    } catch {
      return true;
    }
  }

  text(text: string): string {
    return maskUserInfo(this.secrets.mask(text));
  }

  /** A key may be a secret itself, or a URL with user-info, as in a map of pools by address. */
  key(key: string): string {
    return this.text(key);
  }

  hidesNumber(value: number | bigint): boolean {
    return this.secrets.isInNumber(value);
  }

  bytes(bytes: Uint8Array, encode: () => string): string {
    return this.secrets.isInBytes(bytes) ? maskMark : encode();
  }
}

/** Whether a value that is no container must not be shown. A number or a boolean is rarely a secret: most count something. */
export function hidesScalar(value: unknown, secrecy: Secrecy): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return secrecy >= textsAndNumbers;
  return secrecy !== nothing;
}

const authority = '://';
const slash = 0x2f;
const questionMark = 0x3f;
const hash = 0x23;

/** Where the authority of a URL ends (RFC 3986, section 3.2), taking white space as the end of the URL. */
function endOfAuthority(text: string, from: number): number {
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === slash || code === questionMark || code === hash) break;
  }
  return end;
}

/** The text with the user-info of every URL in it masked. Linear in the length, since the text may be hostile. */
function maskUserInfo(text: string): string {
  let found = text.indexOf(authority);
  // Most addresses have none.
  if (found < 0 || !text.includes('@', found)) return text;
  let masked = '';
  let written = 0;
  while (found >= 0) {
    const start = found + authority.length;
    const end = endOfAuthority(text, start);
    const at = text.slice(start, end).lastIndexOf('@');
    if (at > 0) {
      masked += text.slice(written, start) + maskMark;
      written = start + at;
    }
    found = text.indexOf(authority, start);
  }
  return masked + text.slice(written);
}

/** Whether a text that was cut here may have lost the `@` that would have told user-info from a host. */
export function endsInsideAuthority(text: string): boolean {
  const last = text.lastIndexOf(authority);
  return last >= 0 && endOfAuthority(text, last + authority.length) === text.length;
}
