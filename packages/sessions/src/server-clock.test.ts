import { describe, expect, it } from 'vitest';
import { ServerClock } from './server-clock.ts';

describe('the clock of a server', () => {
  it('is unknown at first, so every deadline has passed', () => {
    expect([new ServerClock().isKnown, new ServerClock().at(5)]).toEqual([false, Number.NEGATIVE_INFINITY]);
  });

  it('is a lower bound, the more exact the quicker an answer was', () => {
    const clock = new ServerClock();
    clock.learn(1_000_000, 100, 180);
    expect(clock.at(180)).toBe(1_000_000);
    clock.learn(1_000_050, 200, 203);
    expect(clock.at(203)).toBe(1_000_050);
    clock.learn(1_000_100, 240, 300);
    expect(clock.at(203)).toBe(1_000_050);
  });

  it.each([-3_600_000, 3_600_000])('is learned again when it was set by %i ms', (step) => {
    const clock = new ServerClock();
    clock.learn(1_000_000, 100, 101);
    clock.learn(1_000_100 + step, 200, 202);
    expect(clock.at(202)).toBe(1_000_100 + step);
  });
});
