import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type InspectionOptions, inspect, Masking } from '@jig/inspect';
import { type LearnedTexts, learnedTexts, releaseChunk } from '@jig/inspect/internal';
import { createPatch, type Difference, differencesOf, type PatchOperation } from './differences.ts';

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
}

export interface CompareOptions {
  /** The id or the name of a snapshot; of several with one name, the newest. */
  readonly from: string;
  /** Another snapshot; how it is now, by default. */
  readonly to?: string | undefined;
  readonly bean?: string | undefined;
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
  /** From its document before to that now. */
  readonly patch: readonly PatchOperation[];
}

export interface Comparison {
  readonly from: SnapshotSummary;
  /** Without an id when it is compared with now. */
  readonly to: Omit<SnapshotSummary, 'id'> & { readonly id?: string };
  /** How many beans were compared. */
  readonly compared: number;
  /** Those that differ. */
  readonly beans: readonly BeanComparison[];
  /** From one document with all beans by their names to the other; where one bean is compared, of that bean. */
  readonly patch: readonly PatchOperation[];
}

/** Why a snapshot cannot be kept, or not be found. */
export class SnapshotError extends Error {
  readonly reason: 'missing' | 'too-large';

  constructor(reason: SnapshotError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export const snapshotLimits = {
  /** How many there are at most; the oldest goes. */
  count: 10,
  /** How many bytes all of them have at most; the oldest go. */
  bytes: 4 * 2 ** 20,
  /** How many bytes a bean may have in a snapshot of all. */
  beanBytes: 2 ** 20,
  /** The longest name. */
  name: 60,
  /** Long enough for a clock that counts seconds to move. */
  wait: 1100,
  longestWait: 5000,
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
  /** One at a time, so that many requests do not hold many documents. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(look: BeanLook) {
    this.#look = look;
  }

  /** The newest first. */
  get list(): readonly SnapshotSummary[] {
    return this.#kept.map(summaryOf);
  }

  keep(options: KeepOptions = {}): Promise<SnapshotSummary> {
    const coming = this.#last.then(() => this.#keep(options));
    this.#last = coming.catch(() => undefined);
    return coming;
  }

  async #keep({ name, bean, wait = snapshotLimits.wait }: KeepOptions): Promise<SnapshotSummary> {
    const earlier = wait > 0 ? await this.#lookAt(bean) : undefined;
    if (earlier !== undefined) await pause(wait);
    const now = await this.#lookAt(bean);
    const moving = earlier === undefined ? new Map<string, Set<string>>() : await movingBetween(earlier, now);
    const id = String(++this.#lastId);
    const snapshot: Snapshot = { ...now, id, moving, ...(name === undefined || name === '' ? {} : { name }) };
    this.#kept = withinLimits([snapshot, ...this.#kept]);
    return summaryOf(snapshot);
  }

  async compare({ from, to, bean }: CompareOptions): Promise<Comparison> {
    const before = this.#find(from);
    const only = bean ?? before.bean;
    if (only !== undefined && !before.documents.has(only))
      throw new SnapshotError(
        'missing',
        `The snapshot ${from} has no such bean; it may be too large, or not have existed.`,
      );
    const now = to === undefined ? await this.#lookAt(only) : this.#find(to);
    return compareLooks(before, now, { only, options: this.#look.documentOptions() });
  }

  #find(wanted: string): Snapshot {
    const found = this.#kept.find(({ id }) => id === wanted) ?? this.#kept.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    throw new SnapshotError(
      'missing',
      `There is no such snapshot; the last ${snapshotLimits.count} are kept, until the application stops.`,
    );
  }

  /** The documents of all beans that exist, or of one. */
  async #lookAt(bean: string | undefined): Promise<Omit<Snapshot, 'id' | 'name' | 'moving'>> {
    const options = this.#look.documentOptions();
    const time = new Date().toISOString();
    const documents = new Map<string, KeptBean>();
    const leftOut: string[] = [];
    const existing = this.#look.existingBeans().filter(({ name }) => bean === undefined || name === bean);
    if (bean !== undefined && existing.length === 0)
      throw new SnapshotError('missing', 'There is no such bean, or it is not created yet; open it first.');
    const largest = bean === undefined ? snapshotLimits.beanBytes : snapshotLimits.bytes;
    for (const { name, type, value } of existing) {
      const json = await writeJson(value, options, largest);
      if (json === undefined) leftOut.push(name);
      else {
        const learned = learnedTexts(value, options.masking ?? new Masking(), longestScanMs);
        documents.set(name, { type, json, bytes: Buffer.byteLength(json), learned });
      }
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

function summaryOf({
  documents: _documents,
  masking: _masking,
  moving: _moving,
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
function withinLimits(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  let size = 0;
  const end = snapshots.findIndex(({ bytes }, index) => {
    size += bytes;
    return index >= snapshotLimits.count || size > snapshotLimits.bytes;
  });
  return end === -1 ? snapshots : snapshots.slice(0, end);
}

/** The masked document of a bean; undefined when it is too large. */
async function writeJson(value: unknown, options: InspectionOptions, largest: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of inspect(value, { ...options, format: 'json' }).chunks()) {
    size += chunk.length;
    parts.push(Buffer.from(chunk));
    releaseChunk(chunk);
    if (size > largest) return undefined;
  }
  return Buffer.concat(parts).toString();
}

/** How long to look for secrets in one bean. */
const longestScanMs = 10;

type Looked = Pick<Snapshot, 'documents' | 'masking'>;

/** What is not the same in two looks at once: it differs in every comparison, and tells nothing. */
async function movingBetween(earlier: Looked, now: Looked): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const moving = new Map<string, Set<string>>();
  for (const [name, { json }] of now.documents) {
    const before = earlier.documents.get(name)?.json;
    if (before === undefined || before === json) continue;
    const patch = await createPatch(JSON.parse(before), JSON.parse(json));
    moving.set(name, new Set(patch.filter(({ op }) => op === 'replace').map(({ path }) => path)));
    await nextTurn();
  }
  return moving;
}

interface CompareContext {
  readonly only: string | undefined;
  readonly options: InspectionOptions;
}

async function compareLooks(
  before: Snapshot,
  now: Omit<Snapshot, 'id' | 'moving'> & Partial<Snapshot>,
  { only, options }: CompareContext,
): Promise<Comparison> {
  const absent = new Set([...before.leftOut, ...now.leftOut]);
  const all = only === undefined ? new Set([...before.documents.keys(), ...now.documents.keys()]) : [only];
  const names = [...all].filter((name) => !absent.has(name)).sort();
  const beans: BeanComparison[] = [];
  for (const name of names) {
    const found = await compareBean(name, before, now, options);
    if (found !== undefined) beans.push(found);
    await nextTurn();
  }
  const patch = beans.flatMap((bean) => (only === undefined ? withinAll(bean) : bean.patch));
  const { documents: _documents, masking: _masking, moving: _moving, ...to } = now;
  return { from: summaryOf(before), to, compared: names.length, beans, patch };
}

async function compareBean(
  name: string,
  before: Snapshot,
  now: Looked & Partial<Snapshot>,
  options: InspectionOptions,
): Promise<BeanComparison | undefined> {
  const [old, current] = [before.documents.get(name), now.documents.get(name)];
  if (old === undefined && current === undefined) return undefined;
  if (old === undefined || current === undefined)
    return onlyOnce(name, documentOf(old, before, options), documentOf(current, now, options), old ?? current);
  const isSameType = old.type === current.type;
  const [json, jsonNow] = [documentOf(old, before, options, current), documentOf(current, now, options, old)];
  if (json === jsonNow && isSameType) return undefined;
  const documentBefore: unknown = JSON.parse(json ?? 'null');
  const patch = await createPatch(documentBefore, JSON.parse(jsonNow ?? 'null'));
  if (patch.length === 0 && isSameType) return undefined;
  const moves = (pointer: string) =>
    before.moving.get(name)?.has(pointer) === true || now.moving?.get(name)?.has(pointer) === true;
  const differences = await differencesOf(documentBefore, patch);
  return {
    name,
    type: current.type,
    ...(isSameType ? {} : { typeBefore: old.type }),
    presence: 'both',
    differences: differences.map((difference) => ({
      ...difference,
      alwaysMoves: difference.kind === 'changed' && moves(difference.pointer),
    })),
    patch,
  };
}

/** A bean that was created since, or that is no more. */
function onlyOnce(
  name: string,
  before: string | undefined,
  now: string | undefined,
  kept: KeptBean | undefined,
): BeanComparison {
  const type = kept?.type ?? 'unknown';
  if (now === undefined) {
    const gone: unknown = JSON.parse(before ?? 'null');
    const differences = [{ kind: 'removed' as const, pointer: '', before: gone, alwaysMoves: false }];
    return { name, type, presence: 'removed', differences, patch: [{ op: 'remove', path: '' }] };
  }
  const value: unknown = JSON.parse(now);
  const differences = [{ kind: 'added' as const, pointer: '', now: value, alwaysMoves: false }];
  return { name, type, presence: 'added', differences, patch: [{ op: 'add', path: '', value }] };
}

/** The document of a kept bean; masked again where secrets have become known since, also by the keys of the other. */
function documentOf(
  bean: KeptBean | undefined,
  { masking }: Looked,
  options: InspectionOptions,
  other?: KeptBean,
): string | undefined {
  if (bean === undefined) return undefined;
  const isTold = other !== undefined && !other.learned.isEmpty && other.learned.mayBeIn(Buffer.from(bean.json));
  if (masking === options.masking && !isTold) return bean.json;
  const known = options.masking ?? new Masking();
  const masked = { ...options, masking: isTold ? known.withLearned(other.learned) : known, format: 'json' } as const;
  return inspect(JSON.parse(bean.json), masked).toString();
}

/** The operations on one bean as those on an object with all beans by their names. */
const withinAll = ({ name, patch }: BeanComparison): readonly PatchOperation[] =>
  patch.map((operation) => ({
    ...operation,
    path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${operation.path}`,
  }));

const snapshotsByLook = new WeakMap<BeanLook, Snapshots>();

/** The snapshots of a controller; the same for all that ask. */
export function snapshotsOf(look: BeanLook): Snapshots {
  const known = snapshotsByLook.get(look) ?? new Snapshots(look);
  snapshotsByLook.set(look, known);
  return known;
}
