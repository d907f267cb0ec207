import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

/** Nothing else of this process runs meanwhile. */
const stall = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

it('an answer in several steps survives a stall of the process', async () => {
  const late = vi.fn<() => void>();
  const end = startDeadline(1000, late);
  stall(1500);
  for (let steps = 0; steps < 10; steps++) await turn();
  expect(late).not.toHaveBeenCalled();
  end();
});

it('an answer that came during a stall at the end of the deadline comes first', async () => {
  const late = vi.fn<() => void>();
  const end = startDeadline(500, late);
  setTimeout(() => stall(250), 450);
  // A timer that is due by then stands for input that waits to be read.
  const isInTime = await new Promise((resolve) => {
    setTimeout(() => {
      end();
      resolve(true);
    }, 550);
  });
  await turn();
  expect([isInTime, late.mock.calls]).toEqual([true, []]);
});

describe('a deadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([1, 7, 60, 1500])('of %s ms passes after them, and once', (milliseconds) => {
    const late = vi.fn<() => void>();
    const end = startDeadline(milliseconds, late);
    vi.advanceTimersByTime(milliseconds - 1);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(milliseconds + 10);
    expect(late).toHaveBeenCalledOnce();
    end();
  });

  it('that was ended never passes', () => {
    const late = vi.fn<() => void>();
    startDeadline(60, late)();
    vi.advanceTimersByTime(1000);
    expect(late).not.toHaveBeenCalled();
  });
});
