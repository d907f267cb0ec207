import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, maxSliceMs, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import type { Masking } from './masking/masking.ts';
import { nothing } from './masking/secret-key.ts';
import { maskMark } from './masking/secrets.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import type { OutlineKind } from './walk/outline-kinds.ts';
import { withPrivateFields } from './walk/private-fields.ts';
import { learningMasking } from './walk/secret-scan.ts';
import type { Shown, ShownContainer, ShownScalar } from './walk/shown-value.ts';
import { type Page, type Place, type Visitor, Walk } from './walk/walk.ts';

/** A match, in a text that is cut around it. */
export interface FindMatch {
  readonly text: string;
  /** Where the match is in `text`. */
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
  /** Whether all was searched: not when there were more hits than wanted, or time was up. */
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

/** Searches the keys, types and values that a document of the value shows: what is masked is not searched. */
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

/** Only classes are worth finding: every text is a `String`. */
const kindsWithClass: ReadonlySet<OutlineKind> = new Set(
  (['object', 'array', 'map', 'set', 'date', 'binary', 'other', 'reference', 'limit'] as const).values(),
);
/** What is no text, or only a marker for one that is elsewhere. */
const kindsWithoutText: ReadonlySet<OutlineKind> = new Set(['masked', 'binary', 'reference', 'limit', 'closed']);

/** A search that can go on where it has stopped. Somebody must end it. */
export class OpenSearch implements Visitor {
  readonly #hits: FindHit[] = [];
  readonly #value: unknown;
  readonly #wanted: string;
  readonly #options: ResolvedOptions;
  #walk: Walk | undefined;
  /** With what the secret keys of the value tell. */
  #masking: Masking;
  #isDone = false;
  #isFull = false;

  constructor(value: unknown, text: string, options: Omit<FindOptions, 'budget' | 'signal'> = {}) {
    this.#value = value;
    this.#wanted = text.toLowerCase();
    this.#options = resolveOptions({ ...options, limit: options.limit ?? defaultLimit });
    this.#masking = this.#options.masking;
  }

  /** What was found so far. */
  get result(): FindResult {
    return { hits: this.#hits, isComplete: this.#isDone && !this.#isFull };
  }

  /** Spends so many milliseconds at most, other work of the event loop included; true when there is nothing left to do. */
  async work(budget: number, signal?: AbortSignal): Promise<boolean> {
    const end = performance.now() + budget;
    while (!this.#isDone && performance.now() < end) {
      signal?.throwIfAborted();
      this.#running(() => this.#slice(Math.min(performance.now() + maxSliceMs, end)));
      await nextTurn();
    }
    return this.#isDone;
  }

  end(): void {
    this.#running(() => this.#walk?.abandon());
  }

  #running<Result>(work: () => Result): Result {
    const { privateFields, getters } = this.#options;
    return withPrivateFields(privateFields, () => handlingCreatedPromises(work, getters));
  }

  #slice(end: number): void {
    this.#walk ??= this.#begin();
    while (!this.#isDone && performance.now() < end) this.#isDone = !this.#walk.step() || this.#isFull;
  }

  #begin(): Walk {
    this.#masking = learningMasking(this.#value, this.#options.masking, this.#options.contentOf);
    const options = { ...this.#options, masking: this.#masking, places: new Map() };
    return new Walk({ value: this.#value, secrecy: nothing }, options, this);
  }

  value(shown: ShownScalar, place: Place): void {
    this.#look(shown, place);
    if (!kindsWithoutText.has(shown.kind)) this.#record(shown.text, place, 'value');
  }

  open(shown: ShownContainer, place: Place): Page | undefined {
    this.#look(shown, place);
    return place.depth < this.#options.depth ? { from: 0, limit: Number.POSITIVE_INFINITY } : undefined;
  }

  close(): void {}

  #look({ kind, type }: Shown, place: Place): void {
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

/** The first match in a masked text of a text in lower case, and what is around it; never where a mask is, so that the mask tells nothing. */
export function matchIn(masked: string, wanted: string): FindMatch | undefined {
  const lower = masked.toLowerCase();
  // A few characters have lower case letters of another length, which would move everything behind them.
  const searched = lower.length === masked.length ? lower : masked;
  for (let start = searched.indexOf(wanted); start >= 0; start = searched.indexOf(wanted, start + 1)) {
    const mask = searched.indexOf(maskMark, Math.max(0, start - maskMark.length + 1));
    if (mask < 0 || mask >= start + wanted.length) return excerpt(masked, start, wanted.length);
  }
  return undefined;
}

const before = 40;
const after = 80;

function excerpt(text: string, start: number, length: number): FindMatch {
  const from = Math.max(0, start - before);
  const to = Math.min(text.length, start + length + after);
  const [head, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const shift = head.length - from;
  return { text: head + text.slice(from, to) + tail, start: start + shift, end: start + length + shift };
}
