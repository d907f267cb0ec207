import { DamagedSessionError } from '@jig/sessions';
import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.ts';

describe('the batcher', () => {
  function make() {
    const batches: string[][] = [];
    const ends: (() => void)[] = [];
    const run = async (items: readonly string[]) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes('bad')) throw new Error('refused');
      return items.map((item) => item.toUpperCase());
    };
    const batcher = new Batcher<string, string>(run, (item, others) => !others.includes(item));
    return { batcher, batches, end: () => ends.shift()?.() };
  }

  /** Two batches are under way, and whatever is asked now waits. */
  async function busy() {
    const made = make();
    for (const item of ['a', 'b']) {
      void made.batcher.ask(item);
      await expect.poll(() => made.batches.at(-1)).toEqual([item]);
    }
    return made;
  }

  it('sends a single write at once, and batches writes that come while two batches are under way', async () => {
    const { batcher, batches, end } = await busy();
    const others = Promise.all(['c', 'd'].map((item) => batcher.ask(item)));
    end();
    await expect.poll(() => batches).toEqual([['a'], ['b'], ['c', 'd']]);
    end();
    end();
    expect(await others).toEqual(['C', 'D']);
  });

  it('does not put two writes to the same session into one batch', async () => {
    const { batcher, batches, end } = make();
    const answers = Promise.all(['a', 'a', 'b'].map((item) => batcher.ask(item)));
    await expect.poll(() => batches).toEqual([['a', 'b'], ['a']]);
    end();
    end();
    expect(await answers).toEqual(['A', 'A', 'B']);
  });

  it('sends at most a hundred at once, two batches side by side', async () => {
    const { batcher, batches, end } = make();
    const items = Array.from({ length: 250 }, (_, index) => `item ${index}`);
    const answers = Promise.all(items.map((item) => batcher.ask(item)));
    const sizes = () => batches.map(({ length }) => length);
    await expect.poll(sizes).toEqual([100, 100]);
    end();
    await expect.poll(sizes).toEqual([100, 100, 50]);
    end();
    end();
    expect(await answers).toEqual(items.map((item) => item.toUpperCase()));
  });

  it('does not send a write whose deadline has passed', async () => {
    const { batcher, batches, end } = await busy();
    const late = batcher.ask('late', performance.now());
    const inTime = batcher.ask('in time', performance.now() + 600_000);
    end();
    await expect(late).rejects.toMatchObject({ code: 'JIG_SESSION_STORE_UNAVAILABLE' });
    await expect.poll(() => batches.at(-1)).toEqual(['in time']);
    end();
    end();
    expect(await inTime).toBe('IN TIME');
  });

  it('rejects only the damaged session of a batch', async () => {
    const batches: string[][] = [];
    const run = async (items: readonly string[]) => {
      batches.push([...items]);
      if (items.includes('damaged')) throw new DamagedSessionError('not a session');
      return items.map((item) => item.toUpperCase());
    };
    const batcher = new Batcher<string, string>(run);
    const answers = await Promise.allSettled(['a', 'b', 'damaged', 'c', 'd'].map((item) => batcher.ask(item)));
    const values = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)));
    expect(values).toEqual(['A', 'B', 'DamagedSessionError: not a session', 'C', 'D']);
    expect(batches.length).toBeLessThan(8);
  });

  it('rejects the writes of a failed batch only, and continues', async () => {
    const { batcher, batches, end } = make();
    const bad = batcher.ask('bad');
    await expect.poll(() => batches).toHaveLength(1);
    const good = batcher.ask('good');
    await expect.poll(() => batches).toHaveLength(2);
    end();
    await expect(bad).rejects.toThrow('refused');
    end();
    expect(await good).toBe('GOOD');
  });
});
