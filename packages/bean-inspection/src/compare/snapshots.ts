import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { inspect, type Masking } from '@jig/inspect';
import { joinUpTo, type LearnedTexts, learnedBy, pointerTo } from '@jig/inspect/internal';
import { BeanProblem, notFound } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import { processBean } from '../sources/process.ts';
import { compareValues, isWithin, kindOf, type Row, toPatch } from './table.ts';

/** The summary of a snapshot, or of the current state. */
export interface SnapshotSummary {
  /** A number that is never reused; undefined for the current state. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** In ISO 8601. */
  readonly time: string;
  /** The only bean in it, if it was taken of one. */
  readonly bean?: string | undefined;
  readonly beans: number;
  readonly bytes: number;
  /** Beans that are not in it, since they are too large. */
  readonly leftOut: readonly string[];
}

export interface KeepOptions {
  readonly name?: string | undefined;
  /** The one bean to keep; all by default. */
  readonly bean?: string | undefined;
  /** The milliseconds between the two reads, the second of which is kept; what differs between them always changes. 0 for one read. */
  readonly wait?: number | undefined;
  /** Aborts when the client disconnects; then nothing is kept. */
  readonly signal?: AbortSignal | undefined;
}

export interface CompareOptions {
  /** The id or the name of a snapshot; of several with one name, the newest. */
  readonly from: string;
  /** Another snapshot; the current state by default. */
  readonly to?: string | undefined;
  readonly bean?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A value that differs. */
export interface Difference extends Row {
  readonly alwaysMoves: boolean;
}

/** What differs in one bean, before and now. */
export interface BeanComparison {
  readonly name: string;
  /** Its type in the newer of the two. */
  readonly type: string;
  /** Its type before, if that was another. */
  readonly typeBefore: string | undefined;
  /** Whether it is in both, or only in the newer or the older one. */
  readonly presence: 'both' | 'added' | 'removed';
  readonly rows: readonly Difference[];
  /** The whole newer document, if more differs than is listed. */
  readonly whole: unknown;
}

export interface Comparison {
  readonly from: SnapshotSummary;
  readonly to: SnapshotSummary;
  /** The only bean that was compared, if not all were. */
  readonly only: string | undefined;
  /** How many beans were compared. */
  readonly compared: number;
  /** Those that differ. */
  readonly beans: readonly BeanComparison[];
}

export const snapshotLimits = {
  /** The most snapshots; the oldest is dropped. */
  count: 10,
  /** The most bytes of all snapshots together; the oldest are dropped. */
  bytes: 4 * 2 ** 20,
  /** The most bytes of one bean in a snapshot of all. */
  beanBytes: 2 ** 20,
  /** The longest name. */
  name: 60,
  /** Long enough for a clock that counts seconds to move. */
  wait: 1100,
} as const;

/** The masked document of a bean in a snapshot. */
interface KeptBean {
  readonly type: string;
  readonly json: string;
  /** Texts that its keys marked as secret, so that they are masked in the other document of a comparison too. */
  readonly learned: LearnedTexts;
}

interface Snapshot {
  readonly summary: SnapshotSummary;
  readonly documents: ReadonlyMap<string, KeptBean>;
  readonly masking: Masking | undefined;
  /** The pointers, by bean, of values that differed between two reads. */
  readonly moving?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** Keeps masked documents of beans, to compare them with each other and with the current state. */
export class Snapshots {
  readonly #mount: Pick<Mount, 'beans' | 'look'>;
  #kept: readonly Snapshot[] = [];
  #lastId = 0;

  constructor(mount: Pick<Mount, 'beans' | 'look'>) {
    this.#mount = mount;
  }

  /** The newest first. */
  get list(): readonly SnapshotSummary[] {
    return this.#kept.map(({ summary }) => summary);
  }

  async keep({ name, bean, wait = snapshotLimits.wait, signal }: KeepOptions = {}) {
    const earlier = wait > 0 ? await this.#take(bean, signal) : undefined;
    if (earlier !== undefined) await pause(wait, undefined, { ...(signal && { signal }), ref: false });
    const now = await this.#take(bean, signal);
    const summary = { ...now.summary, id: String(++this.#lastId), name };
    let size = 0;
    this.#kept = [{ ...now, summary, moving: changesBetween(earlier, now) }, ...this.#kept]
      .slice(0, snapshotLimits.count)
      .filter((each) => {
        size += each.summary.bytes;
        return size <= snapshotLimits.bytes;
      });
    return summary;
  }

  async compare({ from, to, bean, signal }: CompareOptions): Promise<Comparison> {
    const before = this.#find(from);
    const only = bean ?? before.summary.bean;
    if (only !== undefined && !before.documents.has(only))
      throw notFound('the snapshot has no such bean; it may be too large, or not have existed');
    const now = to === undefined ? await this.#take(only, signal) : this.#find(to);
    const skipped = new Set([...before.summary.leftOut, ...now.summary.leftOut]);
    // The process bean differs at each read.
    if (only === undefined)
      for (const { name, value } of this.#mount.beans.existing()) if (value === processBean()) skipped.add(name);
    const all = only === undefined ? new Set([...before.documents.keys(), ...now.documents.keys()]) : [only];
    const names = [...all].filter((name) => !skipped.has(name)).sort();
    const beans: BeanComparison[] = [];
    for (const name of names) {
      await nextTurn();
      signal?.throwIfAborted();
      const moving = [before, now].flatMap((each) => each.moving?.get(name) ?? []);
      const found = compareBean(name, this.#bean(name, before, now), this.#bean(name, now, before), moving);
      if (found !== undefined) beans.push(found);
    }
    return { from: before.summary, to: now.summary, only, compared: names.length, beans };
  }

  #find(wanted: string): Snapshot {
    const findBy = (key: 'id' | 'name') => this.#kept.find(({ summary }) => summary[key] === wanted);
    const found = findBy('id') ?? findBy('name');
    if (found !== undefined) return found;
    throw notFound(`there is no such snapshot; the last ${snapshotLimits.count} are kept, until the application stops`);
  }

  /** A bean of a snapshot, masked again if secrets have become known since, or from the keys of the other snapshot. */
  #bean(name: string, { documents, masking }: Snapshot, other: Snapshot): KeptBean | undefined {
    const bean = documents.get(name);
    const learnedByOther = other.documents.get(name)?.learned;
    const { masking: currentMasking, ...options } = this.#mount.look.options();
    if (bean === undefined || currentMasking === undefined) return bean;
    const isComplete = learnedByOther === undefined || learnedByOther.isWithin(bean.learned);
    if (masking === currentMasking && isComplete) return bean;
    const both = learnedByOther === undefined ? currentMasking : currentMasking.withLearned(learnedByOther);
    const json = inspect(JSON.parse(bean.json), { ...options, masking: both, format: 'json' }).toString();
    return { ...bean, type: both.key(bean.type), json };
  }

  /** The documents of all beans that exist, or of one. */
  async #take(bean: string | undefined, signal: AbortSignal | undefined): Promise<Snapshot> {
    const options = this.#mount.look.options();
    const documents = new Map<string, KeptBean>();
    const leftOut: string[] = [];
    const existing = [...this.#mount.beans.existing()].filter(({ name }) => bean === undefined || name === bean);
    if (bean !== undefined && existing.length === 0)
      throw notFound('there is no such bean, or it is not created yet; open it first');
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
      throw new BeanProblem(
        413,
        `The document of this bean has more than ${snapshotLimits.bytes} bytes; a snapshot cannot hold it.`,
      );
    const summary = { time: new Date().toISOString(), bean, beans: documents.size, bytes, leftOut };
    return { summary, documents, masking: options.masking };
  }
}

/** The pointers, by bean, of values that changed between two reads: they would differ in every comparison. */
function changesBetween(earlier: Snapshot | undefined, now: Snapshot): Snapshot['moving'] {
  const moving = new Map<string, ReadonlySet<string>>();
  for (const [name, bean] of now.documents) {
    const { different } = differencesOf(earlier?.documents.get(name) ?? bean, bean);
    const changed = different.filter((row) => kindOf(row) === 'changed');
    if (changed.length > 0) moving.set(name, new Set(changed.map(({ pointer }) => pointer)));
  }
  return moving;
}

/** Equal documents, which most are, are not parsed. */
const differencesOf = (old: KeptBean | undefined, current: KeptBean | undefined) =>
  old?.json === current?.json
    ? { different: [], isCut: false }
    : compareValues([old, current].map((bean) => bean && JSON.parse(bean.json)));

function compareBean(
  name: string,
  old: KeptBean | undefined,
  current: KeptBean | undefined,
  moving: readonly ReadonlySet<string>[],
): BeanComparison | undefined {
  const { type = '' } = current ?? old ?? {};
  const { different, isCut } = differencesOf(old, current);
  const typeBefore = old !== undefined && current !== undefined && old.type !== type ? old.type : undefined;
  if (different.length === 0 && typeBefore === undefined) return undefined;
  const alwaysMoves = (row: Row) =>
    kindOf(row) === 'changed' && moving.some((pointers) => isWithin(row.pointer, pointers));
  return {
    name,
    type,
    typeBefore,
    presence: old === undefined ? 'added' : current === undefined ? 'removed' : 'both',
    rows: different.map((row) => ({ ...row, alwaysMoves: alwaysMoves(row) })),
    whole: isCut ? current && JSON.parse(current.json) : undefined,
  };
}

/** A comparison as JSON Patch: of an object with all beans by their names, or of the one bean that was compared. */
export const comparisonPatch = ({ only, beans }: Comparison): readonly object[] =>
  toPatch(
    beans.flatMap(({ name, rows, whole }): readonly Row[] => {
      const all = whole === undefined ? rows : [{ pointer: '', values: [null, whole] }];
      return only === undefined ? all.map((row) => ({ ...row, pointer: pointerTo([name]) + row.pointer })) : all;
    }),
  );
