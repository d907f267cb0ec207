import { expect, it } from 'vitest';
import { failuresOf, isMemoryJudged } from './judgement.ts';

/** A soak whose process holds, every ten seconds, what these say. */
const soakOf = (
  seconds: number,
  mebibytes: (at: number) => number,
  descriptors: (at: number) => number = () => 50,
) => ({
  surprises: [],
  wrongSessions: [],
  holdings: Array.from({ length: seconds / 10 }, (_, index) => {
    const at = (index + 1) * 10;
    return { seconds: at, mebibytes: mebibytes(at), descriptors: descriptors(at) };
  }),
});

/** The heap between two collections. */
const noise = (at: number) => (at * 7919) % 30;

it.each([
  ['a heap that only goes up and down', soakOf(3600, (at) => 150 + noise(at))],
  ['a heap that settles in the first part', soakOf(3600, (at) => 150 + Math.min(at, 1400) / 5 + noise(at))],
  ['a short soak, in which the heap has not settled', soakOf(60, (at) => 100 + at)],
])('a soak passes: %s', (_, result) => {
  expect(failuresOf(result)).toEqual([]);
});

it.each([
  ['a leak of 150 bytes in each of 150 requests per second', soakOf(3600, (at) => 150 + at * 0.0215 + noise(at))],
  ['a leak of ten minutes, last measured a little earlier', soakOf(590, (at) => 150 + at * 0.2 + noise(at))],
  ['a leak that begins after half of the time', soakOf(3600, (at) => 150 + Math.max(0, at - 1800) * 0.05 + noise(at))],
])('a soak fails for its memory: %s', (_, result) => {
  expect(failuresOf(result)).toEqual([expect.stringMatching(/^memory grew by 0\.\d+ MiB per second$/)]);
});

it('a soak fails for descriptors that are never closed, for other answers than announced, and for lost sessions', () => {
  const result = {
    ...soakOf(
      60,
      () => 100,
      (at) => 50 + at * 4,
    ),
    surprises: ['clock was answered 500', 'clock was answered 500'],
    wrongSessions: ['zoneID should be UTC and is undefined'],
  };
  expect(failuresOf(result)).toEqual([
    'clock was answered 500',
    'zoneID should be UTC and is undefined',
    'descriptors grew from 170 to 290',
  ]);
});

it('memory is judged in a soak of ten minutes, and not in one of nine', () => {
  expect(isMemoryJudged(soakOf(590, () => 100))).toBe(true);
  expect(isMemoryJudged(soakOf(540, () => 100))).toBe(false);
});
