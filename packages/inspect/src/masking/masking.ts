import type { LearnedTexts } from './learned-texts.ts';
import { NameRules, type PathOf } from './name-rules.ts';
import {
  allSecret,
  isSettingKey,
  noSecret,
  type Secrecy,
  secrecyOfKey,
  textsAndNumbersSecret,
  textsSecret,
} from './secret-key.ts';
import { maskMark, SecretFinder } from './secrets.ts';
import { isPrivateKey, maskByPattern } from './text-rules.ts';

/** Keys shorter than this are not checked for tokens. */
export const minTokenLength = 20;

/** An entry, as passed to the option `mask`. */
export interface MaskableEntry {
  /** The JSON Pointer (RFC 6901) of the entry, from the bean's root. */
  readonly path: string;
  readonly key: string;
  readonly value: unknown;
}

/** Names of keys in any case, with `*` for any text; patterns; and JSON Pointers (RFC 6901), which begin with `/`. */
export type NamedEntries = Iterable<string | RegExp>;

export interface MaskingOptions {
  /** Masks further entries, by name or by a function. If it throws, the entry is masked. */
  readonly mask?: NamedEntries | ((entry: MaskableEntry) => boolean) | undefined;
  /** Entries that are shown although their key looks secret. */
  readonly reveal?: NamedEntries | undefined;
  /** Values of at least six characters that are masked wherever they occur. */
  readonly secrets?: Iterable<string> | SecretFinder | undefined;
}

/** Decides what is secret: by key, before a value is read, and in every text. */
export class Masking {
  readonly secrets: SecretFinder;
  /** Whether the application's own rules need paths. */
  readonly needsPaths: boolean;
  /** Texts that are masked everywhere, because they are the value of a secret key at some place. */
  readonly learned: LearnedTexts | undefined;
  /** Lists, maps and plain objects that are beans with secret names. */
  secretData: WeakSet<object> | undefined;
  readonly #options: MaskingOptions;
  readonly #mask: ((entry: MaskableEntry) => boolean) | undefined;
  readonly #masked: NameRules;
  readonly #revealed: NameRules;

  constructor(options: MaskingOptions = {}, learned?: LearnedTexts, secretData?: WeakSet<object>) {
    const { mask, reveal = [], secrets = [] } = options;
    this.learned = learned;
    this.secretData = secretData;
    this.secrets = secrets instanceof SecretFinder ? secrets : new SecretFinder(secrets);
    this.#options = { mask, reveal: [...reveal], secrets: this.secrets };
    this.#mask = typeof mask === 'function' ? mask : undefined;
    this.#masked = new NameRules(typeof mask === 'function' ? [] : (mask ?? []));
    this.#revealed = new NameRules(reveal);
    this.needsPaths = this.#mask !== undefined || this.#masked.hasPointers || this.#revealed.hasPointers;
  }

  /** The same rules with learned texts. */
  withLearned(learned: LearnedTexts): Masking {
    return new Masking(this.#options, learned, this.secretData);
  }

  /** What is secret of the value under a key. Containers may inherit it. */
  secrecyOf(key: string | number, path: PathOf, inherited: Secrecy = noSecret): Secrecy {
    if (this.#masked.matches(key, path)) return allSecret;
    const own = typeof key === 'number' ? noSecret : secrecyOfKey(key);
    const isSetting = inherited !== noSecret && typeof key === 'string' && isSettingKey(key);
    const secrecy = isSetting || own > inherited ? own : inherited;
    return secrecy !== noSecret && this.#revealed.matches(key, path) ? noSecret : secrecy;
  }

  /** Whether the application's own rules hide an entry, list items included. */
  hidesEntry(key: string | number, value: unknown, path: PathOf): boolean {
    if (!this.needsPaths) return false;
    try {
      if (this.#masked.matchesPath(key, path)) return true;
      return this.#mask?.({ path: path(key), key: String(key), value }) === true;
    } catch {
      return true;
    }
  }

  text(text: string): string {
    const { learned } = this;
    return maskByPattern(this.secrets.mask(learned === undefined ? text : learned.mask(text)), text);
  }

  /** A key may be a secret, or a URL with a password, as in a map of pools by address. */
  key(key: string): string {
    const shown = this.learned === undefined ? key : this.learned.maskParts(key);
    const masked = this.secrets.mask(shown);
    return key.length >= minTokenLength || key.includes('@') ? maskByPattern(masked, key) : masked;
  }

  hidesNumber(value: number | bigint): boolean {
    return this.secrets.isIn(String(value));
  }

  bytes(bytes: Uint8Array, encode: () => string): string {
    return this.secrets.isInBytes(bytes) || isPrivateKey(bytes) ? maskMark : encode();
  }
}

/**
 * Whether a scalar must not be shown. Numbers are rarely secrets. Absent values and booleans are shown, unless the application masks them.
 */
export function hidesScalar(value: unknown, secrecy: Secrecy): boolean {
  if (secrecy === allSecret) return true;
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return false;
  return secrecy >= (typeof value === 'number' ? textsAndNumbersSecret : textsSecret);
}
