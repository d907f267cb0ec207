import { setTimeout as pause } from 'node:timers/promises';
import { type InspectionOptions, inspect, Masking } from '@jig/inspect';
import { joinUpTo, type LearnedTexts, learnedBy, pointerTo } from '@jig/inspect/internal';
import { type Difference, differencesBetween, mostDifferences, toPatch } from './differences.ts';
import { inSlices, maskAgain, type Work } from './json-text.ts';

/** A bean that exists and may be seen. */
export interface ExistingBean {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** How to look at beans. Creates none. */
export interface BeanLook {
  existingBeans(): readonly ExistingBean[];
  /** With the masking as it is now. */
  documentOptions(): InspectionOptions;
}

/** What is said of a snapshot. */
export interface SnapshotSummary {
  /** A number; never used again. */
  readonly id: string;
  /** What it was called, if anything. */
  readonly name?: string;
  /** When it was taken, as in ISO 8601. */
  readonly time: string;
  /** The only bean in it, if it was taken of one. */
  readonly bean?: string;
  readonly beans: number;
  readonly bytes: number;
  /** Beans that are not in it, since they are too large. */
  readonly leftOut: readonly string[];
}

export interface KeepOptions {
  /** What to call it. */
  readonly name?: string | undefined;
  /** The one bean to keep; all by default. */
  readonly bean?: string | undefined;
  /** How many milliseconds after the first look to take the second, which is kept; what differs between them always moves. 0 for one look. */
  readonly wait?: number | undefined;
  /** Whether nobody asked for it, but a value has crossed a limit; a few of these are kept. */
  readonly isEvidence?: boolean;
  /** Aborts when nobody wants it any more; then nothing is kept. */
  readonly signal?: AbortSignal | undefined;
}

export interface CompareOptions {
  /** The id or the name of a snapshot; of several with one name, the newest. */
  readonly from: string;
  /** Another snapshot; how it is now, by default. */
  readonly to?: string | undefined;
  readonly bean?: string | undefined;
  /** Aborts when nobody wants it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** What differs in one bean. */
export interface BeanComparison {
  readonly name: string;
  /** As it is in the newer of the two. */
  readonly type: string;
  /** Its type before, if that was another. */
  readonly typeBefore?: string;
  /** Whether it is in one of the two alone. */
  readonly presence: 'both' | 'added' | 'removed';
  readonly differences: readonly (Difference & { readonly alwaysMoves: boolean })[];
}

export interface Comparison {
  readonly from: SnapshotSummary;
  /** Without an id when it is compared with now. */
  readonly to: Omit<SnapshotSummary, 'id'> & { readonly id?: string };
  /** The only bean that was compared, if not all were. */
  readonly only: string | undefined;
  /** How many beans were compared. */
  readonly compared: number;
  /** Those that differ. */
  readonly beans: readonly BeanComparison[];
}

/** Why a snapshot cannot be kept, or not be found. */
export class SnapshotError extends Error {
  readonly reason: 'missing' | 'too-large' | 'aborted';

  constructor(reason: SnapshotError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export const snapshotLimits = {
  /** How many there are at most; the oldest goes. */
  count: 10,
  /** How many of them are kept because a value has crossed a limit. */
  evidence: 3,
  /** How many bytes all of them have at most; the oldest go. */
  bytes: 4 * 2 ** 20,
  /** How many bytes a bean may have in a snapshot of all. */
  beanBytes: 2 ** 20,
  /** The longest name. */
  name: 60,
  /** Long enough for a clock that counts seconds to move. */
  wait: 1100,
  longestWait: 5000,
  /** How many differences a comparison lists, of all beans together. */
  differences: 10_000,
} as const;

/** The document of a bean as it was. */
interface KeptBean {
  readonly type: string;
  readonly json: string;
  readonly bytes: number;
  /** What its keys made secret, so that no other document in a comparison shows it. */
  readonly learned: LearnedTexts;
}

interface Snapshot extends SnapshotSummary {
  readonly isEvidence: boolean;
  readonly documents: ReadonlyMap<string, KeptBean>;
  readonly masking: InspectionOptions['masking'];
  /** The pointers, by bean, of what differed between two looks. */
  readonly moving: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How beans were at some moments, as masked documents, to compare them with others and with now. */
export class Snapshots {
  readonly #look: BeanLook;
  #kept: readonly Snapshot[] = [];
  #lastId = 0;
  readonly #keeping = new Queue();
  readonly #comparing = new Queue();

  constructor(look: BeanLook) {
    this.#look = look;
  }

  /** The newest first. */
  get list(): readonly SnapshotSummary[] {
    return this.#masked().map(summaryOf);
  }

  keep(options: KeepOptions = {}): Promise<SnapshotSummary> {
    return this.#keeping.run(() => this.#keep(options), options.signal);
  }

  async #keep({
    name,
    bean,
    wait = snapshotLimits.wait,
    isEvidence = false,
    signal,
  }: KeepOptions): Promise<SnapshotSummary> {
    const earlier = wait > 0 ? await this.#lookAt(bean, signal) : undefined;
    if (earlier !== undefined) await pause(wait, undefined, { signal, ref: false });
    const now = await this.#lookAt(bean, signal, earlier?.leftOut);
    const moving = earlier === undefined ? new Map() : await inSlices(movingBetween(earlier, now), signal);
    const id = String(++this.#lastId);
    const snapshot: Snapshot = {
      ...now,
      id,
      moving,
      isEvidence,
      ...(name === undefined || name === '' ? {} : { name }),
    };
    this.#kept = withinLimits([snapshot, ...this.#kept]);
    return summaryOf(snapshot);
  }

  compare(options: CompareOptions): Promise<Comparison> {
    return this.#comparing.run(() => this.#compare(options), options.signal);
  }

  async #compare({ from, to, bean, signal }: CompareOptions): Promise<Comparison> {
    const before = this.#find(from);
    const only = bean ?? before.bean;
    if (only !== undefined && !before.documents.has(only))
      throw new SnapshotError(
        'missing',
        `The snapshot ${from} has no such bean; it may be too large, or not have existed.`,
      );
    const now = to === undefined ? await this.#lookAt(only, signal, before.leftOut) : this.#find(to);
    return inSlices(compareLooks(before, now, { only, options: this.#look.documentOptions() }), signal);
  }

  #find(wanted: string): Snapshot {
    const kept = this.#masked();
    const found = kept.find(({ id }) => id === wanted) ?? kept.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    throw new SnapshotError(
      'missing',
      `There is no such snapshot; the last ${snapshotLimits.count} are kept, until the application stops.`,
    );
  }

  /** With the secrets masked in names that have become known since. Documents are masked when they are compared. */
  #masked(): readonly Snapshot[] {
    const { masking } = this.#look.documentOptions();
    return this.#kept.map((snapshot) => {
      if (masking === undefined || snapshot.masking === masking) return snapshot;
      const shown = (name: string) => masking.key(name);
      const byShownName = <Value>(map: ReadonlyMap<string, Value>) =>
        new Map([...map].map(([name, value]) => [shown(name), value]));
      const { bean, leftOut, documents, moving } = snapshot;
      return {
        ...snapshot,
        ...(bean === undefined ? {} : { bean: shown(bean) }),
        leftOut: leftOut.map(shown),
        documents: byShownName(documents),
        moving: byShownName(moving),
      };
    });
  }

  /** The documents of all beans that exist, or of one; not of those that were too large before. */
  async #lookAt(
    bean: string | undefined,
    signal: AbortSignal | undefined,
    tooLarge: readonly string[] = [],
  ): Promise<Omit<Snapshot, 'id' | 'name' | 'moving' | 'isEvidence'>> {
    const options = this.#look.documentOptions();
    const time = new Date().toISOString();
    const documents = new Map<string, KeptBean>();
    const leftOut: string[] = [];
    const existing = this.#look.existingBeans().filter(({ name }) => bean === undefined || name === bean);
    if (bean !== undefined && existing.length === 0)
      throw new SnapshotError('missing', 'There is no such bean, or it is not created yet; open it first.');
    const largest = bean === undefined ? snapshotLimits.beanBytes : snapshotLimits.bytes;
    for (const { name, type, value } of existing) {
      const isTried = bean !== undefined || !tooLarge.includes(name);
      const written = isTried ? await writeJson(value, options, { largest, signal }) : undefined;
      if (written === undefined) leftOut.push(name);
      else documents.set(name, { type, ...written });
    }
    if (bean !== undefined && leftOut.length > 0)
      throw new SnapshotError(
        'too-large',
        `The document of this bean has more than ${largest} bytes; a snapshot cannot hold it.`,
      );
    leftOut.push(...dropLargest(documents));
    const bytes = sizeOf(documents);
    const { masking } = options;
    return { time, ...(bean === undefined ? {} : { bean }), beans: documents.size, bytes, leftOut, documents, masking };
  }
}

/** Does one thing at a time, so that many requests do not hold many documents. */
class Queue {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(task: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const coming = this.#last.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    this.#last = coming.catch(() => undefined);
    try {
      return await coming;
    } catch (error) {
      throw signal?.aborted === true ? new SnapshotError('aborted', 'The client has left.') : error;
    }
  }
}

function summaryOf({
  documents: _documents,
  masking: _masking,
  moving: _moving,
  isEvidence: _isEvidence,
  ...summary
}: Snapshot): SnapshotSummary {
  return summary;
}

const sizeOf = (documents: ReadonlyMap<string, KeptBean>) =>
  [...documents.values()].reduce((sum, { bytes }) => sum + bytes, 0);

/** Removes the largest until all of them fit. */
function dropLargest(documents: Map<string, KeptBean>): readonly string[] {
  const dropped: string[] = [];
  const bySize = [...documents].sort(([, a], [, b]) => b.bytes - a.bytes);
  for (let size = sizeOf(documents); size > snapshotLimits.bytes; ) {
    const [name, { bytes }] = bySize.shift() ?? ['', { bytes: size }];
    documents.delete(name);
    dropped.push(name);
    size -= bytes;
  }
  return dropped;
}

/** Without the oldest, where there are too many or they are too large together. */
function withinLimits(all: readonly Snapshot[]): readonly Snapshot[] {
  const evidence = all.filter(({ isEvidence }) => isEvidence).slice(0, snapshotLimits.evidence);
  const snapshots = all.filter((each) => !each.isEvidence || evidence.includes(each));
  let size = 0;
  const end = snapshots.findIndex(({ bytes }, index) => {
    size += bytes;
    return index >= snapshotLimits.count || size > snapshotLimits.bytes;
  });
  return end === -1 ? snapshots : snapshots.slice(0, end);
}

/** The masked document of a bean; undefined when it is too large. */
async function writeJson(
  value: unknown,
  options: InspectionOptions,
  { largest, signal }: { readonly largest: number; readonly signal: AbortSignal | undefined },
): Promise<Omit<KeptBean, 'type'> | undefined> {
  const inspection = inspect(value, { ...options, format: 'json', pretty: false });
  const whole = await joinUpTo(inspection.chunks(signal === undefined ? {} : { signal }), largest);
  return whole && { json: whole.toString(), bytes: whole.length, learned: learnedBy(inspection) };
}

type Looked = Pick<Snapshot, 'documents' | 'masking'>;

/** What is not the same in two looks at once: it differs in every comparison, and tells nothing. */
function* movingBetween(earlier: Looked, now: Looked): Work<ReadonlyMap<string, ReadonlySet<string>>> {
  const moving = new Map<string, Set<string>>();
  const counter = new DifferenceCounter();
  for (const [name, { json }] of now.documents) {
    yield;
    const before = earlier.documents.get(name)?.json;
    if (before === undefined) continue;
    const differences = yield* counter.differencesBetween(before, json);
    const changed = differences.filter(({ kind }) => kind === 'changed');
    if (changed.length > 0) moving.set(name, new Set(changed.map(({ pointer }) => pointer)));
  }
  return moving;
}

/** Lists less of a bean, the more was found in others. */
class DifferenceCounter {
  #left: number = snapshotLimits.differences;

  *differencesBetween(before: string, now: string): Work<readonly Difference[]> {
    const differences = yield* differencesBetween(before, now, Math.min(mostDifferences, this.#left));
    this.#left = Math.max(0, this.#left - differences.length);
    return differences;
  }
}

function* compareLooks(
  before: Snapshot,
  now: Omit<Snapshot, 'id' | 'moving' | 'isEvidence'> & Partial<Snapshot>,
  { only, options }: { readonly only: string | undefined; readonly options: InspectionOptions },
): Work<Comparison> {
  const absent = new Set([...before.leftOut, ...now.leftOut]);
  const all = only === undefined ? new Set([...before.documents.keys(), ...now.documents.keys()]) : [only];
  const names = [...all].filter((name) => !absent.has(name)).sort();
  const beans: BeanComparison[] = [];
  const counter = new DifferenceCounter();
  for (const name of names) {
    yield;
    const [kept, looked] = [before.documents.get(name), now.documents.get(name)];
    // Most are, and then there is nothing to mask again.
    if (kept !== undefined && kept.json === looked?.json && kept.type === looked.type) continue;
    const old = yield* maskedBean(kept, looked, before, options);
    const current = yield* maskedBean(looked, kept, now, options);
    const found = yield* compareBean(name, old, current, counter);
    if (found === undefined) continue;
    const moves = movesIn(before.moving.get(name), now.moving?.get(name));
    const differences = found.differences.map((each) => ({ ...each, alwaysMoves: moves(each) }));
    beans.push({ ...found, differences });
  }
  const { documents: _documents, masking: _masking, moving: _moving, isEvidence: _isEvidence, ...to } = now;
  return { from: summaryOf(before), to, only, compared: names.length, beans };
}

/** Whether a value that changed is one of those that always move, or is in one. */
const movesIn =
  (...moving: readonly (ReadonlySet<string> | undefined)[]) =>
  ({ kind, pointer }: Difference): boolean => {
    if (kind !== 'changed') return false;
    for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
      if (moving.some((pointers) => pointers?.has(place))) return true;
      if (place === '') return false;
    }
  };

type FoundBean = Omit<BeanComparison, 'differences'> & { readonly differences: readonly Difference[] };

function* compareBean(
  name: string,
  old: KeptBean | undefined,
  current: KeptBean | undefined,
  counter: DifferenceCounter,
): Work<FoundBean | undefined> {
  const root = { pointer: '' };
  if (old === undefined) {
    if (current === undefined) return undefined;
    const { type, json } = current;
    return { name, type, presence: 'added', differences: [{ kind: 'added', ...root, now: json }] };
  }
  const { type, json } = old;
  // A bean that is no more.
  if (current === undefined)
    return { name, type, presence: 'removed', differences: [{ kind: 'removed', ...root, before: json }] };
  const differences = yield* counter.differencesBetween(json, current.json);
  const isSameType = type === current.type;
  if (differences.length === 0 && isSameType) return undefined;
  const types = isSameType ? { type } : { type: current.type, typeBefore: type };
  return { name, ...types, presence: 'both', differences };
}

/** A kept bean; masked again where secrets have become known since, also by the keys of the other. */
function* maskedBean(
  bean: KeptBean | undefined,
  other: KeptBean | undefined,
  { masking }: Looked,
  options: InspectionOptions,
): Work<KeptBean | undefined> {
  if (bean === undefined) return undefined;
  const { masking: known = new Masking() } = options;
  const isTold = other !== undefined && !other.learned.isWithin(bean.learned) && other.learned.mayBeIn(bean.json);
  if ((options.masking === undefined || masking === options.masking) && !isTold) return bean;
  const again = isTold ? known.withLearned(other.learned) : known;
  return { ...bean, type: again.key(bean.type), json: yield* maskAgain(bean.json, again) };
}

/** A comparison as JSON Patch: of an object with all beans by their names, or of the one bean that was compared. */
export const comparisonPatch = ({ only, beans }: Comparison): string =>
  toPatch(
    beans.flatMap(({ name, differences }) =>
      only === undefined
        ? differences.map((each) => ({ ...each, pointer: pointerTo([name]) + each.pointer }))
        : differences,
    ),
  );

const snapshotsByLook = new WeakMap<BeanLook, Snapshots>();

/** The snapshots of a controller; the same for all that ask. */
export function snapshotsOf(look: BeanLook): Snapshots {
  const known = snapshotsByLook.get(look) ?? new Snapshots(look);
  snapshotsByLook.set(look, known);
  return known;
}
