import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type InspectionOptions, inspect, type Masking } from '@jig/inspect';
import { joinUpTo, type LearnedTexts, learnedBy, pointerTo } from '@jig/inspect/internal';
import type { NamedBean } from '../beans/beans.ts';
import { processBean } from '../process/process-bean.ts';
import { compareValues, type Difference, isWithin, toDifference, toPatch } from './table.ts';

/** How to look at beans. Creates none. */
export interface BeanLook {
  readonly beans: { existing(): Iterable<NamedBean> };
  /** With the masking as it is now. */
  readonly look: { options(): InspectionOptions };
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
  /** The whole document as it is, where more differs than is listed. */
  readonly whole?: unknown;
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
} as const;

/** The masked document of a bean as it was. */
interface KeptBean {
  readonly type: string;
  readonly json: string;
  /** What its keys made secret, so that no other document in a comparison shows it. */
  readonly learned: LearnedTexts;
}

interface Look extends Omit<SnapshotSummary, 'id' | 'name'> {
  readonly documents: ReadonlyMap<string, KeptBean>;
  readonly masking: Masking | undefined;
}

interface Snapshot extends Look, SnapshotSummary {
  readonly isEvidence: boolean;
  /** The pointers, by bean, of what differed between two looks. */
  readonly moving: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How beans were at some moments, as masked documents, to compare them with others and with now. */
export class Snapshots {
  readonly #mount: BeanLook;
  #kept: readonly Snapshot[] = [];
  #lastId = 0;

  constructor(mount: BeanLook) {
    this.#mount = mount;
  }

  /** The newest first. */
  get list(): readonly SnapshotSummary[] {
    return this.#kept.map(summaryOf);
  }

  async keep({ name = '', bean, wait = snapshotLimits.wait, isEvidence = false, signal }: KeepOptions = {}) {
    return orLeft(signal, async () => {
      const earlier = wait > 0 ? await this.#look(bean, signal) : undefined;
      if (earlier !== undefined) await pause(wait, undefined, { ...(signal && { signal }), ref: false });
      const now = await this.#look(bean, signal);
      const id = String(++this.#lastId);
      const moving = movingBetween(earlier, now);
      const snapshot = { ...now, id, ...(name === '' ? {} : { name }), isEvidence, moving };
      this.#kept = withinLimits([snapshot, ...this.#kept]);
      return summaryOf(snapshot);
    });
  }

  async compare({ from, to, bean, signal }: CompareOptions): Promise<Comparison> {
    const before = this.#find(from);
    const only = bean ?? before.bean;
    if (only !== undefined && !before.documents.has(only))
      throw new SnapshotError(
        'missing',
        `The snapshot ${from} has no such bean; it may be too large, or not have existed.`,
      );
    return orLeft(signal, async () => {
      const now: Look & Partial<Snapshot> = to === undefined ? await this.#look(only, signal) : this.#find(to);
      const absent = new Set([...before.leftOut, ...now.leftOut]);
      const all = only === undefined ? new Set([...before.documents.keys(), ...now.documents.keys()]) : [only];
      // It differs at each look.
      if (only === undefined)
        for (const { name, value } of this.#mount.beans.existing()) if (value === processBean()) absent.add(name);
      const names = [...all].filter((name) => !absent.has(name)).sort();
      const beans: BeanComparison[] = [];
      for (const name of names) {
        await nextTurn();
        signal?.throwIfAborted();
        const moving = [before.moving, now.moving].flatMap((each) => each?.get(name) ?? []);
        const found = compareBean(name, this.#bean(name, before, now), this.#bean(name, now, before), moving);
        if (found !== undefined) beans.push(found);
      }
      const { id, time, bean: one, beans: count, bytes, leftOut } = now;
      const told = { ...(id && { id }), ...(now.name && { name: now.name }), ...(one && { bean: one }) };
      return {
        from: summaryOf(before),
        to: { ...told, time, beans: count, bytes, leftOut },
        only,
        compared: names.length,
        beans,
      };
    });
  }

  #find(wanted: string): Snapshot {
    const found = this.#kept.find(({ id }) => id === wanted) ?? this.#kept.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    throw new SnapshotError(
      'missing',
      `There is no such snapshot; the last ${snapshotLimits.count} are kept, until the application stops.`,
    );
  }

  /** A bean of a look; masked again where secrets have become known since, also by the keys of the other look. */
  #bean(name: string, { documents, masking }: Look, other: Look): KeptBean | undefined {
    const bean = documents.get(name);
    const learned = other.documents.get(name)?.learned;
    const { masking: known, ...options } = this.#mount.look.options();
    if (bean === undefined || known === undefined) return bean;
    if (masking === known && (learned === undefined || learned.isWithin(bean.learned))) return bean;
    const again = learned === undefined ? known : known.withLearned(learned);
    const json = inspect(JSON.parse(bean.json), { ...options, masking: again, format: 'json' }).toString();
    return { ...bean, type: again.key(bean.type), json };
  }

  /** The documents of all beans that exist, or of one. */
  async #look(bean: string | undefined, signal: AbortSignal | undefined): Promise<Look> {
    const options = this.#mount.look.options();
    const documents = new Map<string, KeptBean>();
    const leftOut: string[] = [];
    const existing = [...this.#mount.beans.existing()].filter(({ name }) => bean === undefined || name === bean);
    if (bean !== undefined && existing.length === 0)
      throw new SnapshotError('missing', 'There is no such bean, or it is not created yet; open it first.');
    let bytes = 0;
    for (const { name, type, value } of existing) {
      const inspection = inspect(value, { ...options, format: 'json', pretty: false });
      const room = snapshotLimits.bytes - bytes;
      const largest = bean === undefined ? Math.min(snapshotLimits.beanBytes, room) : room;
      const whole = await joinUpTo(inspection.chunks(signal === undefined ? {} : { signal }), largest);
      if (whole === undefined) leftOut.push(name);
      else documents.set(name, { type, json: whole.toString(), learned: learnedBy(inspection) });
      bytes += whole?.length ?? 0;
    }
    if (bean !== undefined && leftOut.length > 0)
      throw new SnapshotError(
        'too-large',
        `The document of this bean has more than ${snapshotLimits.bytes} bytes; a snapshot cannot hold it.`,
      );
    const time = new Date().toISOString();
    const { masking } = options;
    return { time, ...(bean === undefined ? {} : { bean }), beans: documents.size, bytes, leftOut, documents, masking };
  }
}

async function orLeft<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted === true ? new SnapshotError('aborted', 'The client has left.') : error;
  }
}

const summaryOf = ({ id, name, time, bean, beans, bytes, leftOut }: Snapshot): SnapshotSummary => ({
  time,
  ...(bean === undefined ? {} : { bean }),
  beans,
  bytes,
  leftOut,
  id,
  ...(name === undefined ? {} : { name }),
});

/** Without the oldest, where there are too many or they are too large together. */
function withinLimits(all: readonly Snapshot[]): readonly Snapshot[] {
  const evidence = all.filter(({ isEvidence }) => isEvidence).slice(0, snapshotLimits.evidence);
  let size = 0;
  return all
    .filter((each) => !each.isEvidence || evidence.includes(each))
    .slice(0, snapshotLimits.count)
    .filter(({ bytes }) => {
      size += bytes;
      return size <= snapshotLimits.bytes;
    });
}

/** What is not the same in two looks at once: it differs in every comparison, and tells nothing. */
function movingBetween(earlier: Look | undefined, now: Look): Snapshot['moving'] {
  const moving = new Map<string, ReadonlySet<string>>();
  for (const [name, bean] of now.documents) {
    const changed = differencesOf(earlier?.documents.get(name) ?? bean, bean).rows.filter(
      ({ kind }) => kind === 'changed',
    );
    if (changed.length > 0) moving.set(name, new Set(changed.map(({ pointer }) => pointer)));
  }
  return moving;
}

/** Most beans are the same, and need not be parsed. */
function differencesOf(old: KeptBean | undefined, current: KeptBean | undefined) {
  if (old?.json === current?.json) return { rows: [], isCut: false };
  const { different, isCut } = compareValues([old, current].map((bean) => bean && JSON.parse(bean.json)));
  return { rows: different.map(toDifference), isCut };
}

function compareBean(
  name: string,
  old: KeptBean | undefined,
  current: KeptBean | undefined,
  moving: readonly ReadonlySet<string>[],
): BeanComparison | undefined {
  const { type = '' } = current ?? old ?? {};
  const { rows, isCut } = differencesOf(old, current);
  const hasOtherType = old !== undefined && current !== undefined && old.type !== type;
  if (rows.length === 0 && !hasOtherType) return undefined;
  const alwaysMoves = ({ kind, pointer }: Difference) =>
    kind === 'changed' && moving.some((pointers) => isWithin(pointer, pointers));
  return {
    name,
    type,
    ...(hasOtherType ? { typeBefore: old.type } : {}),
    presence: old === undefined ? 'added' : current === undefined ? 'removed' : 'both',
    differences: rows.map((each) => ({ ...each, alwaysMoves: alwaysMoves(each) })),
    ...(isCut ? { whole: current && JSON.parse(current.json) } : {}),
  };
}

/** A comparison as JSON Patch: of an object with all beans by their names, or of the one bean that was compared. */
export const comparisonPatch = ({ only, beans }: Comparison): readonly object[] =>
  toPatch(
    beans.flatMap(({ name, differences, whole }): readonly Difference[] => {
      const all = whole === undefined ? differences : [toDifference({ pointer: '', values: [null, whole] })];
      return only === undefined ? all.map((each) => ({ ...each, pointer: pointerTo([name]) + each.pointer })) : all;
    }),
  );
