import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspect } from './inspect.ts';

// Megabytes of text in few objects, since it is bytes that the memory is for.
const devices = Array.from({ length: 10_000 }, (_, number) => ({
  expiration: number,
  location: `http://192.168.0.1/${String(number).padStart(240, '0')}`,
  params: {},
}));
const beans = { array: devices, map: new Map(devices.map((device, number) => [`device ${number}`, device])) };

// On a busy machine a document would have other pieces than the one before.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('toBytes', () => {
  it.each([
    ['array', 'json'],
    ['array', 'xml'],
    ['map', 'json'],
    ['map', 'xml'],
  ] as const)('reuses the memory of the document before: %s as %s', (bean, format) => {
    reusesMemory(bean, format);
  });

  // The first text has the array made anew, the second leaves one of another size behind.
  it.each([100_000, 200_000, 300_000, 450_000, 900_000])('reuses it after a text of %i characters too', (length) => {
    for (const format of ['json', 'xml'] as const) {
      for (const size of [3_000_000, length]) inspect('x'.repeat(size), { format }).toBytes();
      reusesMemory('map', format);
    }
  });
});

function reusesMemory(bean: keyof typeof beans, format: 'json' | 'xml'): void {
  const document = () => inspect(beans[bean], { format }).toBytes();
  const first = document();
  document();
  const allocations = [vi.spyOn(Buffer, 'allocUnsafeSlow'), vi.spyOn(Buffer, 'allocUnsafe')];
  for (const allocation of allocations) allocation.mockClear();
  expect(document().equals(first)).toBe(true);
  const taken = allocations.flatMap(({ mock }) => mock.calls).reduce((sum, [size]) => sum + size, 0);
  expect(first.length).toBeGreaterThan(2 ** 21);
  // But for the document itself, and its last piece, which may be too small to be worth one.
  expect(taken).toBeLessThan(first.length * 1.25);
}
