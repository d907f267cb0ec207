import { GramFilter } from './gram-filter.ts';
import { maskMark } from './mask.ts';

/** A shorter value would be found by chance in innocent text, and mask it. */
const shortestSecret = 4;

/** Finds known secret values, also in the encodings in which they travel, in whatever text holds them. */
export class SecretValues {
  /** Texts shorter than this cannot hold a secret. */
  readonly shortest: number;
  readonly longest: number;
  readonly #grams: GramFilter;
  readonly #pattern: RegExp | undefined;
  readonly #bytes: readonly Buffer[];

  constructor(secrets: Iterable<string>) {
    const known = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret);
    const spellings = [...new Set(known.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
    this.shortest = spellings.at(-1)?.length ?? Number.POSITIVE_INFINITY;
    this.longest = spellings[0]?.length ?? 0;
    this.#grams = new GramFilter(spellings, this.shortest);
    this.#pattern = spellings.length > 0 ? new RegExp(spellings.map(literally).join('|'), 'g') : undefined;
    this.#bytes = spellings.map((spelling) => Buffer.from(spelling));
  }

  mask(text: string): string {
    if (this.#pattern === undefined || !this.mayBeIn(text)) return text;
    return text.replace(this.#pattern, maskMark);
  }

  /** Whether a text is worth a closer look; quick, and never wrong when it says no. */
  mayBeIn(text: string): boolean {
    return text.length >= this.shortest && this.#grams.mayBeIn(text);
  }

  isIn(bytes: Uint8Array): boolean {
    if (this.#bytes.length === 0) return false;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.#bytes.some((secret) => buffer.includes(secret));
  }
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(bytes.toString()),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
