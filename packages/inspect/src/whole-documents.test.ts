import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspect } from './inspect.ts';

const devices = Array.from({ length: 40_000 }, (_, number) => ({
  expiration: number,
  location: `http://192.168.0.1/${number}`,
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
    const document = () => inspect(beans[bean], { format }).toBytes();
    const first = document();
    document();
    const allocations = [vi.spyOn(Buffer, 'allocUnsafeSlow'), vi.spyOn(Buffer, 'allocUnsafe')];
    expect(document().equals(first)).toBe(true);
    const taken = allocations.flatMap(({ mock }) => mock.calls).reduce((sum, [size]) => sum + size, 0);
    expect(first.length).toBeGreaterThan(2 ** 21);
    // But for the document itself, and its last piece, which may be too small to be worth one.
    expect(taken).toBeLessThan(first.length * 1.25);
  });
});
