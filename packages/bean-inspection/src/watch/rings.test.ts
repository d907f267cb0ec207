import { describe, expect, it } from 'vitest';
import { type Range, Rings, ranges } from './rings.ts';

/** A full minute, hour and day of UTC. */
const start = Date.UTC(2026, 0, 1);
const second = 1000;

const filled = (rings: Rings, range: Range, now: number, stepMs?: number) =>
  rings.steps(range, now, stepMs).filter((step) => step !== undefined);

describe('the rings of a value', () => {
  it('are drawn in at most 96 steps, the last of which has just begun', () => {
    const rings = new Rings();
    for (let index = 0; index < 86_400; index += 30) rings.add(start + index * second, index / 3600);
    const now = start + 86_399 * second;
    rings.add(now, 24);
    for (const range of ['5m', '1h', '24h'] as const) {
      const steps = rings.steps(range, now);
      const { drawnMs, stepMs, steps: kept } = ranges[range];
      expect(steps).toHaveLength((kept * stepMs) / drawnMs);
      expect(steps.length).toBeLessThanOrEqual(96);
      expect(steps.at(-1)?.time).toBe(Math.floor(now / drawnMs) * drawnMs);
    }
    expect(rings.steps('24h', now)[4]).toMatchObject({ time: start + 3600 * second, min: 1 });
  });

  it('have gaps for missing values, also after a long pause', () => {
    const rings = new Rings();
    rings.add(start, 1);
    rings.add(start + 10 * second, 2);
    const now = start + 10 * second;
    expect(filled(rings, '5m', now, second).map(({ time }) => time)).toEqual([start, now]);
    rings.add(start + 290 * second, 3);
    expect(filled(rings, '5m', start + 290 * second, second)).toHaveLength(3);
    rings.add(start + 100_000 * second, 4);
    const later = start + 100_000 * second;
    expect(
      [filled(rings, '5m', later), filled(rings, '1h', later), filled(rings, '24h', later)].map((each) => each.length),
    ).toEqual([1, 1, 1]);
    expect(filled(rings, '24h', later + 86_400 * second)).toEqual([]);
  });

  it('use at most 100 KB of memory, however long they run', () => {
    const rings = new Rings();
    const before = rings.bytes;
    for (let index = 0; index < 10_000; index++) rings.add(start + index * second, index);
    expect(rings.bytes).toBe(before);
    expect(before).toBeLessThanOrEqual(100_000);
  });
});
