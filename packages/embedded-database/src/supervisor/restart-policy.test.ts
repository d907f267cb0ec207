import { describe, expect, it } from 'vitest';
import { RestartPolicy } from './restart-policy.ts';

describe('the restart policy', () => {
  it('waits from half a second up to half a minute, and gives up after its retries', () => {
    const five = new RestartPolicy();
    expect(Array.from({ length: 6 }, () => five.next())).toEqual([500, 1000, 2000, 4000, 8000, undefined]);
    const ten = new RestartPolicy({ maximumRetries: 10 });
    expect(Array.from({ length: 10 }, () => ten.next()).at(-1)).toBe(30_000);
  });

  it('starts counting anew after a minute without failures, and not before', () => {
    const policy = new RestartPolicy();
    policy.next(0);
    policy.markReady(1000);
    expect(policy.next(60_999)).toBe(1000);
    policy.markReady(70_000);
    expect(policy.next(130_000)).toBe(500);
  });
});
