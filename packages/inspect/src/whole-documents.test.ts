import { afterEach, describe, expect, it, vi } from 'vitest';
import { inspect } from './inspect.ts';

const devices = Array.from({ length: 40_000 }, (_, number) => ({
  expiration: number,
  location: `http://192.168.0.1/${number}`,
  params: {},
}));
const beans = { array: devices, map: new Map(devices.map((device, number) => [`device ${number}`, device])) };

afterEach(() => vi.restoreAllMocks());

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
    const takenAgain = () => {
      for (const { mock } of allocations) mock.calls.length = 0;
      expect(document().equals(first)).toBe(true);
      return allocations.flatMap(({ mock }) => mock.calls).reduce((sum, [size]) => sum + size, 0);
    };
    // But for the document itself, and its last piece, which may be too small to be worth one.
    const few = first.length * 1.25;
    let taken = takenAgain();
    // On a busy machine a document has more pieces than the one before, which then have to be made.
    for (let again = 0; again < 4 && taken >= few; again++) taken = takenAgain();
    expect(first.length).toBeGreaterThan(2 ** 21);
    expect(taken).toBeLessThan(few);
  });
});
