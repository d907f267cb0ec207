import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, maxSliceMs, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import type { Masking } from './masking/masking.ts';
import { noSecret } from './masking/secret-key.ts';
import { maskMark } from './masking/secrets.ts';
import { learningMasking } from './walk/secret-scan.ts';
import type { OutlineKind, ShownScalar } from './walk/shown-scalar.ts';
import type { Shown, ShownContainer } from './walk/shown-value.ts';
import { type Page, type Place, type Visitor, Walk } from './walk/walk.ts';

/** A match, with an excerpt of the text around it. */
export interface FindMatch {
  readonly text: string;
  /** The position of the match in `text`. */
  readonly start: number;
  readonly end: number;
}

/** A place where a text was found. */
export interface FindHit extends FindMatch {
  /** A JSON Pointer (RFC 6901) from the root of the value. */
  readonly pointer: string;
  readonly in: 'key' | 'type' | 'value';
}

export interface FindResult {
  readonly hits: readonly FindHit[];
  /** Whether everything was searched; false if the limit or the budget was reached. */
  readonly isComplete: boolean;
}

type SharedOptions = 'depth' | 'text' | 'stacks' | 'getters' | 'views' | 'raw' | 'closed' | 'privateFields' | 'masking';

export interface FindOptions extends Pick<InspectionOptions, SharedOptions | 'mask' | 'reveal' | 'secrets'> {
  /** How many hits to look for; 100 by default. */
  readonly limit?: number | undefined;
  /** How many milliseconds to spend, other work of the event loop included; 1,000 by default. */
  readonly budget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultLimit = 100;
const defaultBudget = 1000;

/** Searches the keys, types and values that a document would show, masked as there. */
export async function find(value: unknown, text: string, options: FindOptions = {}): Promise<FindResult> {
  const { signal, budget = defaultBudget } = options;
  const search = new OpenSearch(value, text, options);
  try {
    await search.work(budget, signal);
  } finally {
    search.end();
  }
  return search.result;
}

/** Kinds whose type is searched, unlike that of primitives. */
const kindsWithClass = new Set<OutlineKind>([
  'object',
  'array',
  'map',
  'set',
  'date',
  'binary',
  'other',
  'reference',
  'limit',
]);
/** Kinds without a text of their own. */
const kindsWithoutText: ReadonlySet<OutlineKind> = new Set(['masked', 'binary', 'reference', 'limit', 'closed']);

/** A search that can be resumed. It must be ended with `end`. */
export class OpenSearch implements Visitor {
  readonly #hits: FindHit[] = [];
  readonly #value: unknown;
  readonly #wanted: string;
  readonly #options: ResolvedOptions;
  #walk: Walk | undefined;
  /** The masking with learned texts. */
  #masking: Masking;
  #isDone = false;
  #isFull = false;

  constructor(value: unknown, text: string, options: Omit<FindOptions, 'budget' | 'signal'> = {}) {
    this.#value = value;
    this.#wanted = text.toLowerCase();
    this.#options = resolveOptions({ ...options, limit: options.limit ?? defaultLimit });
    this.#masking = this.#options.masking;
  }

  /** The hits so far. */
  get result(): FindResult {
    return { hits: this.#hits, isComplete: this.#isDone && !this.#isFull };
  }

  /** Works for at most so many milliseconds of wall time; returns whether the search is complete. */
  async work(budget: number, signal?: AbortSignal): Promise<boolean> {
    const end = performance.now() + budget;
    while (!this.#isDone && performance.now() < end) {
      signal?.throwIfAborted();
      this.#options.context.run(() => this.#runSlice(Math.min(performance.now() + maxSliceMs, end)));
      await nextTurn();
    }
    return this.#isDone;
  }

  end(): void {
    this.#options.context.run(() => this.#walk?.abandon());
  }

  #runSlice(end: number): void {
    this.#walk ??= this.#createWalk();
    this.#isDone = this.#walk.run(() => this.#isFull || performance.now() >= end) || this.#isFull;
  }

  #createWalk(): Walk {
    this.#masking = learningMasking(this.#value, this.#options.masking, this.#options.context, this.#options.contentOf);
    const options = { ...this.#options, masking: this.#masking, places: new Map() };
    return new Walk({ value: this.#value, secrecy: noSecret }, options, this);
  }

  value(shown: ShownScalar, place: Place): void {
    this.#searchKeyAndType(shown, place);
    if (!kindsWithoutText.has(shown.kind)) this.#record(shown.text, place, 'value');
  }

  open(shown: ShownContainer, place: Place): Page | undefined {
    this.#searchKeyAndType(shown, place);
    return place.depth < this.#options.depth ? { from: 0, limit: Number.POSITIVE_INFINITY } : undefined;
  }

  close(): void {}

  #searchKeyAndType({ kind, type }: Shown, place: Place): void {
    if (place.name !== undefined) this.#record(this.#masking.key(place.name), place, 'key');
    if (kindsWithClass.has(kind)) this.#record(type, place, 'type');
  }

  #record(text: string, place: Place, where: FindHit['in']): void {
    const match = matchIn(text, this.#wanted);
    if (match === undefined) return;
    if (this.#hits.length >= this.#options.limit) this.#isFull = true;
    else this.#hits.push({ pointer: place.pointer(), in: where, ...match });
  }
}

/** The first match in a masked text, with an excerpt, but never inside of a mask. */
export function matchIn(masked: string, wanted: string): FindMatch | undefined {
  const lower = masked.toLowerCase();
  // Some characters change their length in lower case, which would shift the position.
  const searched = lower.length === masked.length ? lower : masked;
  for (let start = searched.indexOf(wanted); start >= 0; start = searched.indexOf(wanted, start + 1)) {
    const mask = searched.indexOf(maskMark, Math.max(0, start - maskMark.length + 1));
    if (mask < 0 || mask >= start + wanted.length) return excerpt(masked, start, wanted.length);
  }
  return undefined;
}

/** How much of the text around a match an excerpt has. */
const charactersBefore = 40;
const charactersAfter = 80;

function excerpt(text: string, start: number, length: number): FindMatch {
  const from = Math.max(0, start - charactersBefore);
  const to = Math.min(text.length, start + length + charactersAfter);
  const [head, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const shift = head.length - from;
  return { text: head + text.slice(from, to) + tail, start: start + shift, end: start + length + shift };
}
