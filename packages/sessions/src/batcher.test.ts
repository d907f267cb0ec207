import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.ts';
import { DamagedSessionError } from './errors.ts';

describe('the batcher', () => {
  function make(concurrency = 1, maximumSize = 10) {
    const batches: string[][] = [];
    const ends: (() => void)[] = [];
    const batcher = new Batcher<string, string>({
      run: async (items) => {
        batches.push([...items]);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (items.includes('bad')) throw new Error('refused');
        return items.map((item) => item.toUpperCase());
      },
      mayJoin: (item, others) => !others.includes(item),
      concurrency,
      maximumSize,
    });
    return { batcher, batches, end: () => ends.shift()?.() };
  }

  it('sends what comes alone at once, and what comes meanwhile together', async () => {
    const { batcher, batches, end } = make();
    const first = batcher.ask('a');
    await expect.poll(() => batches).toEqual([['a']]);
    const others = Promise.all([batcher.ask('b'), batcher.ask('c')]);
    end();
    expect(await first).toBe('A');
    await expect.poll(() => batches).toEqual([['a'], ['b', 'c']]);
    end();
    expect(await others).toEqual(['B', 'C']);
  });

  it('keeps apart what must not go together, and batches within their size', async () => {
    const { batcher, batches, end } = make(1, 2);
    const answers = Promise.all(['a', 'a', 'b', 'c'].map((item) => batcher.ask(item)));
    await expect.poll(() => batches).toEqual([['a', 'b']]);
    end();
    await expect
      .poll(() => batches)
      .toEqual([
        ['a', 'b'],
        ['a', 'c'],
      ]);
    end();
    expect(await answers).toEqual(['A', 'A', 'B', 'C']);
  });

  it('lets what may not join a batch wait for its end, though another could be under way', async () => {
    const { batcher, batches, end } = make(2, 10);
    const answers = Promise.all(['a', 'a'].map((item) => batcher.ask(item)));
    await expect.poll(() => batches).toEqual([['a']]);
    for (let turns = 0; turns < 3; turns++) await turn();
    expect(batches).toEqual([['a']]);
    end();
    await expect.poll(() => batches).toEqual([['a'], ['a']]);
    end();
    expect(await answers).toEqual(['A', 'A']);
  });

  it('sends as many batches side by side as may be under way, when one turn brings more than one holds', async () => {
    const { batcher, batches, end } = make(2, 10);
    const items = Array.from({ length: 40 }, (_, index) => `item ${index}`);
    const answers = Promise.all(items.map((item) => batcher.ask(item)));
    await expect.poll(() => batches).toHaveLength(2);
    end();
    await expect.poll(() => batches).toHaveLength(3);
    end();
    end();
    await expect.poll(() => batches).toHaveLength(4);
    end();
    expect(await answers).toEqual(items.map((item) => item.toUpperCase()));
    expect(batches.map((batch) => batch.length)).toEqual([10, 10, 10, 10]);
  });

  it('does not send what still waits at its deadline', async () => {
    const { batcher, batches, end } = make();
    const first = batcher.ask('a');
    await expect.poll(() => batches).toEqual([['a']]);
    const late = batcher.ask('late', performance.now());
    const inTime = batcher.ask('in time', performance.now() + 60_000);
    end();
    await expect(late).rejects.toMatchObject({ code: 'JIG_SESSION_STORE_UNAVAILABLE' });
    await expect.poll(() => batches).toEqual([['a'], ['in time']]);
    end();
    expect(await Promise.all([first, inTime])).toEqual(['A', 'IN TIME']);
  });

  it('fails only the one that is damaged, and not those that go with it', async () => {
    const batches: string[][] = [];
    const run = async (items: readonly string[]) => {
      batches.push([...items]);
      if (items.includes('damaged')) throw new DamagedSessionError('not a session');
      return items.map((item) => item.toUpperCase());
    };
    const batcher = new Batcher<string, string>({ run, mayJoin: () => true, concurrency: 1, maximumSize: 10 });
    const answers = await Promise.allSettled(['a', 'b', 'damaged', 'c', 'd'].map((item) => batcher.ask(item)));
    const values = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)));
    expect(values).toEqual(['A', 'B', 'DamagedSessionError: not a session', 'C', 'D']);
    expect(batches.length).toBeLessThan(8);
  });

  it('fails those of one batch only, and goes on', async () => {
    const { batcher, batches, end } = make(2);
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
