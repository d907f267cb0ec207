import { maskMark, SecretFinder } from './secret-finder.ts';
import { isSecretKey } from './secret-key.ts';
import { maskUserInfo } from './url-user-info.ts';

/** An entry that is about to be written, as an application's own masking sees it. */
export interface MaskableEntry {
  /** The JSON Pointer (RFC 6901) of the entry, from the bean's root. */
  readonly path: string;
  readonly key: string;
  readonly value: unknown;
}

export interface MaskingOptions {
  /** Masks further entries. An error in it masks the entry. */
  readonly mask?: ((entry: MaskableEntry) => boolean) | undefined;
  /** JSON Pointers of entries that are shown although their key looks secret. */
  readonly reveal?: Iterable<string> | undefined;
  /** Values of at least six characters that are masked wherever they occur. */
  readonly secrets?: Iterable<string> | SecretFinder | undefined;
}

/** Decides what is secret, for keys before their values are read, and for every text. */
export class Masking {
  readonly secrets: SecretFinder;
  /** Whether the path of an entry matters, which only an application's own rules make it do. */
  readonly needsPaths: boolean;
  readonly #mask: ((entry: MaskableEntry) => boolean) | undefined;
  readonly #revealed: ReadonlySet<string>;

  constructor({ mask, reveal = [], secrets = [] }: MaskingOptions = {}) {
    this.secrets = secrets instanceof SecretFinder ? secrets : new SecretFinder(secrets);
    this.#mask = mask;
    this.#revealed = new Set(reveal);
    this.needsPaths = mask !== undefined || this.#revealed.size > 0;
  }

  hidesKey(key: string, path: () => string): boolean {
    return isSecretKey(key) && !(this.#revealed.size > 0 && this.#revealed.has(path()));
  }

  hidesEntry(key: string, value: unknown, path: () => string): boolean {
    if (this.#mask === undefined) return false;
    try {
      return this.#mask({ path: path(), key, value });
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
