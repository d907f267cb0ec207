import { describe, expect, it } from 'vitest';
import { Prober } from './prober.ts';

describe('the prober', () => {
  function watch(answers: boolean[]): { events: string[]; prober: Prober } {
    const events: string[] = [];
    const prober = new Prober({
      probe: async () => {
        events.push('asked');
        if (!(answers.shift() ?? true)) throw new Error('no answer');
      },
      interval: 5,
      failures: 3,
      onSuspect: () => events.push('suspect'),
      onRecovered: () => events.push('well'),
      onFrozen: () => events.push('frozen'),
    });
    return { events, prober };
  }

  it('reports the first failure, and the recovery at the next answer', async () => {
    const { events, prober } = watch([true, false, false, true]);
    await expect.poll(() => events.includes('well')).toBe(true);
    prober.stop();
    expect(events.slice(0, 6)).toEqual(['asked', 'asked', 'suspect', 'asked', 'asked', 'well']);
  });

  it('reports a frozen server after three failures in a row, and probes no more', async () => {
    const { events, prober } = watch([false, false, false]);
    await expect.poll(() => events.includes('frozen')).toBe(true);
    prober.probeNow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events).toEqual(['asked', 'suspect', 'asked', 'asked', 'frozen']);
  });
});
