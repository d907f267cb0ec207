import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, resolveOptions } from './inspection-options.ts';
import { maskMark } from './masking/secrets.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import type { Cursor } from './walk/cursors.ts';
import { pointerTo, scannedCursor } from './walk/json-pointer.ts';
import { classify, type Shown } from './walk/shown-value.ts';
import type { WalkOptions } from './walk/walk.ts';

/** A place where a text was found. */
export interface FindHit {
  /** A JSON Pointer (RFC 6901) from the root of the value. */
  readonly pointer: string;
  readonly in: 'key' | 'type' | 'value';
  /** What is around the match. */
  readonly text: string;
  /** Where the match is in `text`. */
  readonly start: number;
  readonly end: number;
}

export interface FindResult {
  readonly hits: readonly FindHit[];
  /** Whether all was searched: not when there were more hits than wanted, or time was up. */
  readonly isComplete: boolean;
}

export interface FindOptions
  extends Pick<InspectionOptions, 'depth' | 'text' | 'stacks' | 'masking' | 'mask' | 'reveal' | 'secrets'> {
  /** How many hits to look for; 100 by default. */
  readonly limit?: number | undefined;
  /** How many milliseconds of work to spend; 1,000 by default. */
  readonly budget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultLimit = 100;
const defaultBudget = 1000;

/** How long to work before other work of the event loop runs, in milliseconds. */
const maxSliceMs = 3;

/** Searches the keys, types and values that a document of the value shows: what is masked is not searched. */
export async function find(value: unknown, text: string, options: FindOptions = {}): Promise<FindResult> {
  const { signal, budget = defaultBudget } = options;
  const search = new Search(text, options);
  let left = budget;
  handlingCreatedPromises(() => search.visit(value));
  while (!search.isDone && left > 0) {
    signal?.throwIfAborted();
    const start = performance.now();
    handlingCreatedPromises(() => search.work(start + Math.min(maxSliceMs, left)));
    left -= performance.now() - start;
    await nextTurn();
  }
  const { isDone, hits } = search;
  handlingCreatedPromises(() => search.abandon());
  return { hits, isComplete: isDone && !search.isFull };
}

interface Frame {
  readonly cursor: Cursor;
  readonly pointer: string;
  readonly identities: readonly object[];
}

class Search {
  readonly hits: FindHit[] = [];
  isFull = false;
  readonly #wanted: string;
  readonly #options: WalkOptions;
  readonly #frames: Frame[] = [];
  readonly #ancestors = new Map<object, string>();

  constructor(wanted: string, options: FindOptions) {
    this.#wanted = wanted.toLowerCase();
    this.#options = resolveOptions({ ...options, limit: options.limit ?? defaultLimit });
  }

  get isDone(): boolean {
    return this.#frames.length === 0 || this.isFull;
  }

  work(end: number): void {
    while (!this.isDone && performance.now() < end) this.#step();
  }

  abandon(): void {
    for (const { cursor } of this.#frames) cursor.close?.();
    this.#frames.length = 0;
  }

  visit(value: unknown): void {
    this.#look(classify({ value, mark: undefined }, '', { ...this.#options, ancestors: this.#ancestors }), '');
  }

  #step(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (frame.cursor.next()) this.#entry(frame);
    else for (const identity of this.#frames.pop()?.identities ?? []) this.#ancestors.delete(identity);
  }

  #entry({ cursor, pointer: outer }: Frame): void {
    const { masking } = this.#options;
    const { mark, value } = cursor;
    const key = String(cursor.key);
    const pointer = this.#pointerOf(outer, key);
    if (typeof cursor.key === 'string') this.#match(masking.key(key), pointer, 'key');
    if (mark === 'masked' || masking.hidesEntry(key, value, () => pointer)) return;
    this.#look(classify(cursor, key, { ...this.#options, ancestors: this.#ancestors }), pointer);
  }

  #look(shown: Shown, pointer: string): void {
    this.#match(shown.type, pointer, 'type');
    if (!('container' in shown)) {
      if (shown.kind !== 'masked' && shown.kind !== 'binary' && shown.kind !== 'reference')
        this.#match(shown.text, pointer, 'value');
      return;
    }
    if (this.#frames.length >= this.#options.depth) return;
    const { masking, stacks } = this.#options;
    const hides = (key: string) => masking.hidesKey(key, () => this.#pointerOf(pointer, key));
    const cursor = scannedCursor(shown.container, { hides, stacks });
    for (const identity of shown.identities) this.#ancestors.set(identity, pointer);
    this.#frames.push({ cursor, pointer, identities: shown.identities });
  }

  #pointerOf(pointer: string, key: string): string {
    return pointer + pointerTo([this.#options.masking.key(key)]);
  }

  /** Records the first match in a text. */
  #match(text: string, pointer: string, where: FindHit['in']): void {
    const start = indexIn(text, this.#wanted);
    if (start < 0) return;
    if (this.hits.length >= this.#options.limit) this.isFull = true;
    else this.hits.push({ pointer, in: where, ...excerpt(text, start, this.#wanted.length) });
  }
}

/** Where a text is in another, whatever the case; never where a mask is, so that the mask tells nothing. */
function indexIn(text: string, wanted: string): number {
  const lower = text.toLowerCase();
  // A few characters have lower case letters of another length, which would move everything behind them.
  const searched = lower.length === text.length ? lower : text;
  for (let start = searched.indexOf(wanted); start >= 0; start = searched.indexOf(wanted, start + 1)) {
    if (!touchesMask(searched, start, start + wanted.length)) return start;
  }
  return -1;
}

/** Whether a masked text has another in it, as `find` searches. */
export const isFoundIn = (masked: string, wanted: string) => indexIn(masked, wanted.toLowerCase()) >= 0;

function touchesMask(text: string, start: number, end: number): boolean {
  const mask = text.indexOf(maskMark, Math.max(0, start - maskMark.length + 1));
  return mask >= 0 && mask < end;
}

const before = 40;
const after = 80;

function excerpt(text: string, start: number, length: number): Pick<FindHit, 'text' | 'start' | 'end'> {
  const from = Math.max(0, start - before);
  const to = Math.min(text.length, start + length + after);
  const [head, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const shift = head.length - from;
  return { text: head + text.slice(from, to) + tail, start: start + shift, end: start + length + shift };
}
