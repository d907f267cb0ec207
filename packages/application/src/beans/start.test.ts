import { describe, expect, it } from 'vitest';
import { BeanRegistry } from './registry.ts';
import { startBeans } from './start.ts';

const deadlines = { startTimeout: 5000, stopTimeout: 5000 };

function registryWith(events: string[], failing?: string) {
  const registry = new BeanRegistry();
  const define = (name: string, needs: string[]) =>
    registry.define('o', name, {
      type: 'Part',
      create: (beans) => needs.map((need) => beans[need]),
      start: async () => {
        await Promise.resolve();
        if (name === failing) throw new Error('no luck');
        events.push(`+${name}`);
      },
      stop: () => void events.push(`-${name}`),
    });
  define('web', ['store', 'log']);
  define('store', ['database']);
  define('log', []);
  registry.define('o', 'database', { type: 'Plain', create: ({ disk }) => ({ disk }) });
  define('disk', []);
  return registry;
}

describe('startBeans', () => {
  it('starts each bean after those it depends on, through beans that have nothing to start, and stops in reverse', async () => {
    const events: string[] = [];
    const stop = await startBeans(registryWith(events), deadlines);
    expect(events).toEqual(['+disk', '+store', '+log', '+web']);
    expect(await stop()).toEqual([]);
    expect(events.slice(4)).toEqual(['-web', '-log', '-store', '-disk']);
  });

  it('stops those before a bean that fails to start', async () => {
    const events: string[] = [];
    await expect(startBeans(registryWith(events, 'log'), deadlines)).rejects.toMatchObject({
      code: 'JIG_BEAN_START_FAILED',
      message: 'The bean log did not start: no luck',
    });
    expect(events).toEqual(['+disk', '+store', '-store', '-disk']);
  });

  it('stops waiting at the deadline, and aborts the signal of the bean', async () => {
    const registry = new BeanRegistry();
    let aborted = false;
    registry.define('o', 'slow', {
      type: 'Slow',
      startTimeout: 20,
      stopTimeout: 20,
      create: () => ({}),
      start: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    });
    await expect(startBeans(registry, deadlines)).rejects.toThrow(
      'The bean slow did not start: it took longer than 20 ms.',
    );
    expect(aborted).toBe(true);
  });

  it('waits for the cleanup of an aborted bean before it stops its dependencies', async () => {
    const events: string[] = [];
    const registry = registryWith(events);
    const controller = new AbortController();
    registry.define('o', 'process', {
      type: 'Process',
      create: ({ web }) => ({ web }),
      start: (_, signal) => {
        setTimeout(() => controller.abort(new Error('called off')), 20);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            setTimeout(() => {
              events.push('process cleared up');
              reject(signal.reason);
            }, 50);
          });
        });
      },
    });
    await expect(startBeans(registry, deadlines, controller.signal)).rejects.toThrow('called off');
    expect(events.slice(4)).toEqual(['process cleared up', '-web', '-log', '-store', '-disk']);
  });

  it('stops a bean that started after its deadline, before its dependencies', async () => {
    const events: string[] = [];
    const registry = registryWith(events);
    registry.define('o', 'late', {
      type: 'Late',
      startTimeout: 20,
      create: ({ web }) => ({ web }),
      start: () => new Promise((resolve) => setTimeout(resolve, 60)),
      stop: () => void events.push('-late'),
    });
    await expect(startBeans(registry, deadlines)).rejects.toThrow('it took longer than 20 ms');
    expect(events.slice(4)).toEqual(['-late', '-web', '-log', '-store', '-disk']);
  });

  it('stops the other beans when one fails to stop, and names it', async () => {
    const events: string[] = [];
    const registry = registryWith(events);
    registry.define('o', 'stubborn', {
      type: 'Stubborn',
      stopTimeout: 20,
      create: ({ disk }) => ({ disk }),
      start: () => undefined,
      stop: () => new Promise(() => {}),
    });
    const stop = await startBeans(registry, deadlines);
    const failures = await stop();
    expect(failures.map(({ code }) => code)).toEqual(['JIG_BEAN_STOP_FAILED']);
    expect(events.filter((event) => event.startsWith('-'))).toHaveLength(4);
  });
});
