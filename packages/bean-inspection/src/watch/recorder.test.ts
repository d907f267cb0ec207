import { Masking } from '@jig/inspect';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mount } from '../mount.ts';
import type { ThresholdEvent } from '../options.ts';
import type { ReadingNow } from '../readings/readings.ts';
import { Recorder, watchLimits } from './recorder.ts';
import { type Range, summarize, toJson } from './rings.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 0, 1) + 250 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** As an operator sets it, or as it is after a busy time; timers run on. */
const moveClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const minute = 60_000;

function record(read: () => ReadingNow = () => ({ value: 1 })) {
  const events: ThresholdEvent[] = [];
  const snapshots: string[] = [];
  const mount = {
    options: { watch: [], onThreshold: (event: ThresholdEvent) => void events.push(event) },
    closeSignal: new AbortController().signal,
    look: { options: () => ({ masking: new Masking() }) },
    readings: { check: () => {}, read },
    snapshots: { keep: async ({ name }: { name: string }) => ({ id: String(snapshots.push(name)) }) },
  };
  return { recorder: new Recorder(mount as unknown as Mount), events, snapshots };
}

const waiting = { bean: 'pool', reading: 'waiting' } as const;

describe('the recorder', () => {
  it('reads once a second for an hour, with gaps for missing values, in constant memory', () => {
    let reads = -1;
    const { recorder } = record(() => (++reads >= 1200 && reads < 1260 ? { fault: 'away' } : { value: reads }));
    const begun = Date.now() - 250;
    const value = recorder.watch(waiting);
    const { bytes } = value.rings;
    // Ten seconds at once, as if an hour took six minutes.
    for (let turn = 0; turn < 360; turn++) vi.advanceTimersByTime(10_000);
    expect(reads).toBe(3600);
    const stepped = (range: Range, stepMs: number) =>
      summarize(value, range, Date.now(), stepMs).steps.map((step) => step && { ...step, time: step.time - begun });
    const expected = (first: number, seconds: number) =>
      Array.from({ length: Math.floor(3600 / seconds) - first + 1 }, (_, index) => {
        const min = (first + index) * seconds;
        const max = Math.min(min + seconds - 1, 3600);
        if (min >= 1200 && max < 1260) return undefined;
        return { time: min * 1000, min, mean: (min + max) / 2, max };
      });
    expect(stepped('5m', 1000)).toEqual(expected(3301, 1));
    expect(stepped('1h', 10_000)).toEqual(expected(1, 10));
    expect(stepped('24h', 60_000).slice(-61)).toEqual(expected(0, 60));
    expect([value.crossings, value.rings.bytes]).toEqual([[], bytes]);
  });

  it('has one timer for all values, and none without a value', () => {
    const { recorder } = record();
    expect(vi.getTimerCount()).toBe(0);
    for (let index = 0; index < 20; index++) recorder.watch({ bean: 'pool', at: `/${index}` });
    vi.advanceTimersByTime(minute);
    expect(vi.getTimerCount()).toBe(1);
    for (const { address } of recorder.values) recorder.remove(address);
    expect(vi.getTimerCount()).toBe(0);
    recorder.watch(waiting);
    recorder.close();
    vi.advanceTimersByTime(minute);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not keep the process alive', () => {
    vi.useRealTimers();
    const { recorder } = record();
    const before = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    recorder.watch(waiting);
    expect(process.getActiveResourcesInfo().filter((each) => each === 'Timeout')).toHaveLength(before);
    recorder.close();
  });

  it('has a gap while a value cannot be read or the process is busy, and reports why', () => {
    let now: ReadingNow = { value: 5, unit: 'ms' };
    const { recorder } = record(() => now);
    const value = recorder.watch(waiting);
    vi.advanceTimersByTime(10_000);
    now = { fault: 'it threw' };
    vi.advanceTimersByTime(5000);
    expect(value.now).toEqual({ unit: 'ms', fault: 'it threw' });
    now = { value: 6 };
    vi.advanceTimersByTime(5000);
    expect(value.now).toEqual({ value: 6 });
    moveClock(30_000);
    vi.advanceTimersByTime(1000);
    const { steps } = summarize(value, '5m', Date.now(), 1000);
    expect(steps.filter((step) => step !== undefined)).toHaveLength(17);
  });

  it('bounds the number of crossings, however often a value crosses', () => {
    let reads = 0;
    const { recorder } = record(() => ({ value: reads++ % 2 }));
    const value = recorder.watch(waiting, { over: 0 });
    vi.advanceTimersByTime(10 * minute);
    expect(value.crossings).toHaveLength(watchLimits.crossings);
  });

  it('rejects values beyond its limit with an error', () => {
    const { recorder } = record();
    for (let index = 0; index < watchLimits.values; index++) recorder.watch({ bean: 'pool', at: `/${index}` });
    expect(() => recorder.watch(waiting)).toThrow(
      expect.objectContaining({
        status: 409,
        message: '50 values are watched, which is the most. Stop watching one to add another.',
      }),
    );
    recorder.remove({ bean: 'pool', at: '/7' });
    expect(recorder.watch(waiting).address).toEqual(waiting);
  });
});

describe('a limit', () => {
  it('is reported when it is crossed, and again only after the value was back, with its farthest value', async () => {
    let value = 0;
    const { recorder, events, snapshots } = record(() => ({ value, unit: 'ms' }));
    const recorded = recorder.watch(waiting, { over: 10, under: -10 });
    for (value of [0, 11, 15, 12, 3, -11]) vi.advanceTimersByTime(1000);
    expect(events).toEqual([
      { ...waiting, crossed: 'over', limit: 10, value: 11, unit: 'ms', time: '2026-01-01T00:00:02.005Z' },
      { ...waiting, crossed: 'under', limit: -10, value: -11, unit: 'ms', time: '2026-01-01T00:00:06.005Z' },
    ]);
    await Promise.resolve();
    expect(snapshots).toEqual(['waiting of pool over 10']);
    const told = toJson(recorded, summarize(recorded, '5m', Date.now()));
    expect(told.crossings).toEqual([
      {
        crossed: 'over',
        limit: 10,
        from: '2026-01-01T00:00:02.005Z',
        to: '2026-01-01T00:00:05.005Z',
        farthest: 15,
        snapshot: '1',
      },
      {
        crossed: 'under',
        limit: -10,
        from: '2026-01-01T00:00:06.005Z',
        farthest: -11,
        noSnapshot: 'one was kept less than 10 minutes before',
      },
    ]);
  });

  it('is reported once a minute at most, and at once when it is another limit', () => {
    let value = 0;
    const { recorder, events } = record(() => ({ value }));
    const recorded = recorder.watch(waiting, { over: 1, under: -1 });
    const swing = (values: readonly number[], seconds: number) => {
      for (let turn = 0; turn < seconds; turn++) {
        value = values[turn % values.length] ?? 0;
        vi.advanceTimersByTime(1000);
      }
    };
    swing([2, 0], 60);
    expect([events.length, recorded.crossings.length]).toEqual([1, 30]);
    swing([2, 0], 60);
    expect(events).toHaveLength(2);
    swing([-2, 0], 2);
    expect(events.map(({ crossed }) => crossed)).toEqual(['over', 'over', 'under']);
    recorder.watch(waiting, { over: 1.5 });
    swing([2, 0], 2);
    expect(events.at(-1)).toMatchObject({ crossed: 'over', limit: 1.5 });
    moveClock(-60 * minute);
    swing([2, 0], 2);
    expect(events).toHaveLength(5);
  });

  it('causes at most one snapshot in ten minutes for all values', async () => {
    let value = 0;
    const { recorder, snapshots } = record(() => ({ value }));
    recorder.watch(waiting, { over: 1 });
    recorder.watch({ bean: 'queue', at: '/length' }, { over: 1 });
    for (let turn = 0; turn < 25 * 60; turn++) {
      value = turn % 2 === 0 ? 2 : 0;
      vi.advanceTimersByTime(1000);
    }
    await Promise.resolve();
    expect(snapshots).toHaveLength(3);
  });

  it('can be set, changed and removed while a value is recorded', () => {
    const { recorder, events } = record(() => ({ value: 5 }));
    const recorded = recorder.watch(waiting);
    recorder.watch(waiting, { over: 4 });
    recorder.watch(waiting);
    expect([recorded.limits, recorded.crossings.length]).toEqual([{ over: 4 }, 1]);
    recorder.watch(waiting, {});
    expect(recorded.crossings[0]?.to).toBeDefined();
    recorder.watch(waiting, { over: 3 });
    expect(events.map(({ limit }) => limit)).toEqual([4, 3]);
  });
});
