import { snapshotLimits } from '../compare/snapshots.ts';
import { BeanProblem } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import { type Limits, maxValues, type ReadingAddress } from '../options.ts';
import type { ReadingNow } from '../readings/readings.ts';
import { processName, processView } from '../sources/process.ts';
import { Rings } from './rings.ts';

/** A period in which a value was beyond a limit. Times are in milliseconds since 1970. */
export interface Crossing {
  readonly crossed: 'over' | 'under';
  readonly limit: number;
  readonly from: number;
  /** Undefined while it lasts. */
  to?: number;
  /** The value that was farthest from the limit. */
  farthest: number;
  /** The id of the snapshot that was kept, to compare with. */
  snapshot?: string;
  /** Why none was kept. */
  noSnapshot?: string;
}

export const watchLimits = {
  values: maxValues,
  stepMs: 1000,
  /** How many crossings of a value are kept; the oldest are dropped. */
  crossings: 50,
  /** The shortest time between two reports of the same limit. */
  reportPauseMs: 60_000,
  /** The shortest time between two snapshots. */
  snapshotPauseMs: 600_000,
} as const;

/** A value that is recorded. */
export interface RecordedValue {
  readonly address: ReadingAddress;
  readonly limits: Limits;
  readonly rings: Rings;
  readonly crossings: readonly Crossing[];
  /** What was read last. */
  readonly now: ReadingNow;
}

interface Recorded extends RecordedValue {
  limits: Limits;
  /** When each limit was last reported. */
  reportedAt: Limits;
  now: ReadingNow;
  readonly crossings: Crossing[];
}

/** The values that are recorded. One timer reads them all, once a second; without values there is none. */
export class Recorder {
  readonly #mount: Mount;
  readonly #recorded = new Map<string, Recorded>();
  #timer: NodeJS.Timeout | undefined;
  #snapshotAt: number | undefined;
  #isClosed = false;

  /** Records what the option `watch` names at once. */
  constructor(mount: Mount) {
    this.#mount = mount;
    const { watch } = mount.options;
    for (const { over, under, ...address } of watch) this.record(address, { over, under });
    if (mount.closeSignal.aborted) this.close();
    // The process is measured only if one of its values is recorded.
    if (watch.some(({ bean }) => bean === processName)) mount.start();
  }

  /** In the order in which they were added. */
  get values(): readonly RecordedValue[] {
    return [...this.#recorded.values()];
  }

  find(address: ReadingAddress): RecordedValue | undefined {
    return this.#recorded.get(keyOf(address));
  }

  /** The values of one bean. */
  ofBean(bean: string): readonly RecordedValue[] {
    return this.values.filter(({ address }) => address.bean === bean);
  }

  get isFull(): boolean {
    return this.#recorded.size >= watchLimits.values;
  }

  /** Records a value from now on, or sets the limits of one that is recorded. Throws a problem when it cannot. */
  watch(address: ReadingAddress, limits?: Limits): RecordedValue {
    const { look, readings } = this.#mount;
    // The pages show the pointer to other users.
    if ('at' in address && look.options().masking.text(address.at) !== address.at)
      throw new BeanProblem(403, 'This cannot be watched: its pointer holds a secret.');
    readings.check(address);
    const known = this.#recorded.get(keyOf(address));
    if (known !== undefined) {
      if (limits !== undefined) this.#setLimits(known, limits);
      return known;
    }
    if (this.isFull) throw new BeanProblem(409, fullSentence, { title: 'Too many values' });
    const recorded = this.record(address, limits);
    this.#read(recorded, Date.now());
    return recorded;
  }

  /** Like `watch`, without a check: the value may have no number yet. It is read at the next second. */
  record(address: ReadingAddress, limits: Limits = {}): Recorded {
    const known = this.#recorded.get(keyOf(address));
    if (known !== undefined) return known;
    const recorded: Recorded = { address, limits, rings: new Rings(), crossings: [], now: {}, reportedAt: {} };
    this.#recorded.set(keyOf(address), recorded);
    if (this.#timer === undefined) this.#scheduleTick();
    return recorded;
  }

  /** Discards what was recorded; returns whether anything was. */
  remove(address: ReadingAddress): boolean {
    const isKnown = this.#recorded.delete(keyOf(address));
    if (this.#recorded.size === 0) this.#stop();
    return isKnown;
  }

  /** Ends recording for good. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Shortly after the next full second, so that a timer that is early or late skips none. */
  #scheduleTick(): void {
    if (this.#isClosed) return;
    const { stepMs } = watchLimits;
    const offset = Date.now() % stepMs;
    // Usually the same delay, since Node keeps a list of timers for each duration.
    const delay = offset >= 5 && offset < stepMs / 4 ? stepMs : stepMs - offset + 5;
    this.#timer = setTimeout(this.#tick, delay).unref();
  }

  readonly #tick = () => {
    const now = Date.now();
    for (const recorded of this.#recorded.values()) this.#read(recorded, now);
    this.#scheduleTick();
  };

  #read(recorded: Recorded, time: number): void {
    const read = this.#mount.readings.read(recorded.address);
    const { value, fault = 'it has no value' } = read;
    // The last known unit and maximum still label the recording.
    const { value: _before, ...known } = recorded.now;
    recorded.now = value === undefined ? { ...known, ...read, fault } : read;
    if (value === undefined) return;
    recorded.rings.add(time, value);
    this.#checkLimits(recorded, value, time);
  }

  #setLimits(recorded: Recorded, limits: Limits): void {
    const open = openCrossing(recorded);
    if (open !== undefined) open.to = Date.now();
    recorded.limits = limits;
    recorded.reportedAt = {};
    const { value } = recorded.now;
    if (value !== undefined) this.#checkLimits(recorded, value, Date.now());
  }

  #checkLimits(recorded: Recorded, value: number, time: number): void {
    const crossed = limitCrossedBy(value, recorded.limits);
    const open = openCrossing(recorded);
    if (open !== undefined) {
      if (open.crossed === crossed) {
        open.farthest = crossed === 'over' ? Math.max(open.farthest, value) : Math.min(open.farthest, value);
        return;
      }
      open.to = time;
    }
    if (crossed === undefined) return;
    const crossing: Crossing = { crossed, limit: recorded.limits[crossed] ?? 0, from: time, farthest: value };
    recorded.crossings.push(crossing);
    if (recorded.crossings.length > watchLimits.crossings) recorded.crossings.shift();
    // A value that oscillates around its limit must not fill the log.
    if (!isWithin(watchLimits.reportPauseMs, recorded.reportedAt[crossed], time)) this.#report(recorded, crossing);
    void this.#keepSnapshot(recorded.address, crossing);
  }

  #report(recorded: Recorded, { crossed, limit, from, farthest: value }: Crossing): void {
    recorded.reportedAt = { ...recorded.reportedAt, [crossed]: from };
    const { unit } = recorded.now;
    this.#mount.options.onThreshold?.({
      ...recorded.address,
      crossed,
      limit,
      value,
      ...(unit === undefined ? {} : { unit }),
      time: new Date(from).toISOString(),
    });
  }

  /** Keeps the state of all beans at that moment, to compare with later. */
  async #keepSnapshot(address: ReadingAddress, crossing: Crossing): Promise<void> {
    const { snapshotPauseMs } = watchLimits;
    if (isWithin(snapshotPauseMs, this.#snapshotAt, crossing.from)) {
      crossing.noSnapshot = `one was kept less than ${snapshotPauseMs / 60_000} minutes before`;
      return;
    }
    this.#snapshotAt = crossing.from;
    try {
      const name = `${labelOfAddress(address)} of ${address.bean} ${crossing.crossed} ${crossing.limit}`;
      const { id } = await this.#mount.snapshots.keep({ name: name.slice(0, snapshotLimits.name) });
      crossing.snapshot = id;
    } catch {
      crossing.noSnapshot = 'it could not be kept';
    }
  }
}

export const fullSentence = `${watchLimits.values} values are watched, which is the most. Stop watching one to add another.`;

/** The crossing that lasts, if any. */
export function openCrossing({ crossings }: Pick<RecordedValue, 'crossings'>): Crossing | undefined {
  const last = crossings.at(-1);
  return last?.to === undefined ? last : undefined;
}

/** False if the clock was set back. */
const isWithin = (milliseconds: number, since: number | undefined, time: number) =>
  since !== undefined && time >= since && time - since < milliseconds;

function limitCrossedBy(value: number, { over, under }: Limits): Crossing['crossed'] | undefined {
  if (over !== undefined && value > over) return 'over';
  return under !== undefined && value < under ? 'under' : undefined;
}

/** Equal for addresses of the same value. */
export const keyOf = (address: ReadingAddress) =>
  JSON.stringify([address.bean, 'at' in address ? 'at' : 'reading', labelOfAddress(address)]);

/** The pointer, or the name of the reading. */
export const labelOfAddress = (address: ReadingAddress) => ('at' in address ? address.at : address.reading);

/** The readings of the process that are recorded from the first page on. */
export const mainReadings = Object.keys(processView.readings ?? {}).slice(0, 6);
