import type { LearnedTexts } from './learned-texts.ts';
import { NameRules, type PathOf } from './name-rules.ts';
import { everything, isSettingKey, nothing, type Secrecy, secrecyOfKey, texts, textsAndNumbers } from './secret-key.ts';
import { maskMark, SecretFinder } from './secrets.ts';
import { isPrivateKey, maskByForm } from './text-rules.ts';

/** Shorter keys are names, whatever they look like. */
export const shortestForm = 20;

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
  /** What is masked wherever it stands, since its key made it a secret at one place. */
  readonly learned: LearnedTexts | undefined;
  /** Lists, maps and plain objects whose own name is that of a secret, as behind a key, once there is one. */
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

  /** The same rules, and texts that were learned from the values that are shown. */
  withLearned(learned: LearnedTexts): Masking {
    return new Masking(this.#options, learned, this.secretData);
  }

  /** What of the value behind a key must not be shown; a container may pass on what it stands under. */
  secrecyOf(key: string | number, path: PathOf, inherited: Secrecy = nothing): Secrecy {
    if (this.#masked.matches(key, path)) return everything;
    const own = typeof key === 'number' ? nothing : secrecyOfKey(key);
    const isSetting = inherited !== nothing && typeof key === 'string' && isSettingKey(key);
    const secrecy = isSetting || own > inherited ? own : inherited;
    return secrecy !== nothing && this.#revealed.matches(key, path) ? nothing : secrecy;
  }

  /** Asked of every entry, items of lists too, where the application's own rules need paths. */
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
    return maskByForm(this.secrets.mask(learned === undefined ? text : learned.mask(text)), text);
  }

  /** A key may be a secret itself, or a URL with user-info, as in a map of pools by address; a short one is just a name. */
  key(key: string): string {
    const shown = this.learned === undefined ? key : this.learned.maskParts(key);
    const masked = this.secrets.mask(shown);
    return key.length >= shortestForm || key.includes('@') ? maskByForm(masked, key) : masked;
  }

  hidesNumber(value: number | bigint): boolean {
    return !this.secrets.isEmpty && this.secrets.isIn(String(value));
  }

  bytes(bytes: Uint8Array, encode: () => string): string {
    return this.secrets.isInBytes(bytes) || isPrivateKey(bytes) ? maskMark : encode();
  }
}

/**
 * Whether a value that is no container must not be shown. A number is rarely a secret: most count something. Whether
 * there is one may always be seen, unless the application itself masks it.
 */
export function hidesScalar(value: unknown, secrecy: Secrecy): boolean {
  if (secrecy === everything) return true;
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return false;
  return secrecy >= (typeof value === 'number' ? textsAndNumbers : texts);
}
