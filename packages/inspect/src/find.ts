import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InspectionOptions, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import { everything, nothing, type Secrecy } from './masking/secret-key.ts';
import { maskMark } from './masking/secrets.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import { entrySecrecy } from './walk/container-cursor.ts';
import type { Cursor, SecrecyOf } from './walk/cursors.ts';
import { pointerTo, scannedCursor } from './walk/json-pointer.ts';
import type { OutlineKind } from './walk/outline-kinds.ts';
import { withPrivateFields } from './walk/private-fields.ts';
import { forgetNames } from './walk/reflection.ts';
import { SecretScan, withLearnedBy } from './walk/secret-scan.ts';
import { type ClassifyOptions, classify, type Shown, type ShownContainer } from './walk/shown-value.ts';
import { manyValues, type WalkOptions } from './walk/walk-options.ts';

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

export interface FindOptions
  extends Pick<
    InspectionOptions,
    | 'depth'
    | 'text'
    | 'stacks'
    | 'getters'
    | 'views'
    | 'raw'
    | 'closed'
    | 'privateFields'
    | 'masking'
    | 'mask'
    | 'reveal'
    | 'secrets'
  > {
  /** How many hits to look for; 100 by default. */
  readonly limit?: number | undefined;
  /** How many milliseconds to spend, other work of the event loop included; 1,000 by default. */
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
  const search = new OpenSearch(value, text, options);
  try {
    await search.work(budget, signal);
  } finally {
    search.end();
  }
  return search.result;
}

/** A search that can go on where it has stopped. Somebody must end it. */
export class OpenSearch {
  readonly #value: unknown;
  readonly #text: string;
  readonly #options: ResolvedOptions;
  readonly #scan: SecretScan;
  /** Begins when all secrets are learned. */
  #search: Search | undefined;
  #isComplete = false;

  constructor(value: unknown, text: string, options: Omit<FindOptions, 'budget' | 'signal'> = {}) {
    this.#value = value;
    this.#text = text;
    this.#options = resolveOptions({ ...options, limit: options.limit ?? defaultLimit });
    this.#scan = new SecretScan(value, this.#options.masking, this.#options.contentOf);
  }

  /** What was found so far. */
  get result(): FindResult {
    return { hits: this.#search?.hits ?? [], isComplete: this.#isComplete };
  }

  /** Spends so many milliseconds at most, other work of the event loop included; true when there is nothing left to do. */
  async work(budget: number, signal?: AbortSignal): Promise<boolean> {
    forgetNames();
    const end = performance.now() + budget;
    let isDone = this.#search?.isDone === true;
    for (let now = performance.now(); !isDone && now < end; now = performance.now()) {
      signal?.throwIfAborted();
      const { privateFields, getters } = this.#options;
      const slice = () => this.#slice(Math.min(now + maxSliceMs, end));
      isDone = withPrivateFields(privateFields, () => handlingCreatedPromises(slice, getters));
      await nextTurn();
    }
    this.#isComplete = isDone && this.#search?.isFull === false;
    return isDone;
  }

  #slice(end: number): boolean {
    this.#search ??= this.#begin(end);
    this.#search?.work(end);
    return this.#search?.isDone === true;
  }

  #begin(end: number): Search | undefined {
    if (!this.#scan.work(end - performance.now())) return undefined;
    const masking = withLearnedBy(this.#scan, this.#options.masking);
    const search = new Search(this.#text, { ...this.#options, masking });
    search.visit(this.#value);
    return search;
  }

  end(): void {
    handlingCreatedPromises(() => this.#search?.abandon());
  }
}

interface Frame {
  readonly cursor: Cursor;
  readonly identities: readonly object[];
  /** How many values were searched before those in it. */
  readonly before: number;
  readonly inherited: Secrecy;
  readonly secrecyOf: SecrecyOf;
}

/** Only classes are worth finding: every text is a `String`. */
const kindsWithoutClass: ReadonlySet<OutlineKind> = new Set([
  'string',
  'number',
  'bigint',
  'boolean',
  'null',
  'function',
  'symbol',
  'masked',
  'threw',
  'closed',
]);
/** What is no text, or only a marker for one that is elsewhere. */
const kindsWithoutText: ReadonlySet<OutlineKind> = new Set(['masked', 'binary', 'reference', 'limit', 'closed']);

/** How many entries to look at before asking for the time, where they take little of it. */
const mostStepsAtOnce = 16;

class Search {
  readonly hits: FindHit[] = [];
  isFull = false;
  readonly #wanted: string;
  readonly #options: WalkOptions;
  readonly #classifying: ClassifyOptions;
  readonly #frames: Frame[] = [];
  /** Open containers, and large ones that were searched. Weak, since many may be made only to be searched. */
  readonly #shownAt = new WeakMap<object, string>();
  #count = 0;
  readonly #matchesByType = new Map<string, FindMatch | undefined>();

  constructor(wanted: string, options: WalkOptions) {
    this.#wanted = wanted.toLowerCase();
    this.#options = options;
    const { masking, text, closed, contentOf } = options;
    this.#classifying = { masking, text, closed, contentOf, shownAt: this.#shownAt };
  }

  get isDone(): boolean {
    return this.#frames.length === 0 || this.isFull;
  }

  work(end: number): void {
    // Code of a bean may take any time, so the first steps go one by one.
    for (let count = 1; !this.isDone && performance.now() < end; count = Math.min(count * 2, mostStepsAtOnce)) {
      for (let steps = 0; steps < count && !this.isDone; steps++) this.#step();
    }
  }

  abandon(): void {
    for (const { cursor } of this.#frames) cursor.close?.();
    this.#frames.length = 0;
  }

  visit(value: unknown): void {
    this.#look(classify({ value, mark: undefined, secrecy: nothing }, '', this.#classifying));
  }

  #step(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (frame.cursor.next()) this.#entry(frame);
    else this.#leave(frame);
  }

  #leave({ identities, before }: Frame): void {
    this.#frames.pop();
    if (this.#count - before <= manyValues) for (const identity of identities) this.#shownAt.delete(identity);
  }

  #entry(frame: Frame): void {
    this.#count++;
    const { cursor } = frame;
    const { masking } = this.#options;
    const { mark, value } = cursor;
    const { inherited, secrecyOf } = frame;
    const secrecy = entrySecrecy(cursor, inherited, secrecyOf);
    const key = String(cursor.key);
    if (typeof cursor.key === 'string') this.#record(matchIn(masking.key(key), this.#wanted), 'key');
    if (secrecy === everything || masking.hidesEntry(key, value, () => this.#pointer())) return;
    this.#look(classify({ value, mark, secrecy }, key, this.#classifying));
  }

  #look(shown: Shown): void {
    if (!kindsWithoutClass.has(shown.kind)) this.#record(this.#typeMatch(shown.type), 'type');
    if ('container' in shown) this.#enter(shown);
    else if (!kindsWithoutText.has(shown.kind)) this.#record(matchIn(shown.text, this.#wanted), 'value');
  }

  #enter({ container, identities, secrecy: inherited }: ShownContainer): void {
    if (this.#frames.length >= this.#options.depth) return;
    const { masking, stacks } = this.#options;
    const depth = this.#frames.length;
    const pathTo = (key: string) => this.#pointer(depth) + pointerTo([masking.key(key)]);
    const secrecyOf = (key: string) => masking.secrecyOf(key, () => pathTo(key), inherited);
    for (const identity of identities) this.#shownAt.set(identity, '');
    const cursor = scannedCursor(container, { secrecyOf, stacks });
    this.#frames.push({ cursor, identities, before: this.#count, inherited, secrecyOf });
  }

  /** There are few types, and many values of each. */
  #typeMatch(type: string): FindMatch | undefined {
    if (!this.#matchesByType.has(type)) this.#matchesByType.set(type, matchIn(type, this.#wanted));
    return this.#matchesByType.get(type);
  }

  #record(match: FindMatch | undefined, where: FindHit['in']): void {
    if (match === undefined) return;
    if (this.hits.length >= this.#options.limit) this.isFull = true;
    else this.hits.push({ pointer: this.#pointer(), in: where, ...match });
  }

  /** The pointer of the entry that is looked at, or of a container by its depth. Made when it is needed, since most entries are no hit. */
  #pointer(depth = this.#frames.length): string {
    const keys = this.#frames.slice(0, depth).map(({ cursor }) => String(cursor.key));
    return pointerTo(keys.map((key) => this.#options.masking.key(key)));
  }
}

/** The first match in a masked text of a text in lower case, and what is around it. */
export function matchIn(masked: string, wanted: string): FindMatch | undefined {
  const start = indexIn(masked, wanted);
  return start < 0 ? undefined : excerpt(masked, start, wanted.length);
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

function touchesMask(text: string, start: number, end: number): boolean {
  const mask = text.indexOf(maskMark, Math.max(0, start - maskMark.length + 1));
  return mask >= 0 && mask < end;
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
