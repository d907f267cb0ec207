import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';

const features = `[{
  name: 'lazy parts',
  register(host) {
    let made = 0;
    host.define('effects', { type: 'Effects', create: () => ({ get made() { return made; } }) });
    host.define('lazy', { type: 'Lazy', create: () => ({ number: ++made }) });
    const trapped = { get() { throw new Error('a trap was fired'); } };
    host.define('trapped', { type: 'Proxy', create: () => new Proxy({}, new Proxy({}, trapped)) });
    host.define('thenable', { type: 'Thenable', create: () => ({ asked: 0, then() { this.asked++; } }) });
    host.define('late', { type: 'Late', create: async () => ({ number: 1 }) });
    host.define('needsLazy', { type: 'NeedsLazy', create: ({ lazy }) => ({ lazy }) });
  },
}]`;

let application: MadeApplication;
let service: RunningService;

beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'], main: mainWith(features) });
});

afterAll(() => application.remove());

// Opening a bean makes it, so each test needs a service where nobody has looked yet.
beforeEach(async () => {
  service = await startService({ main: application.main, workingDirectory: application.folder });
});

afterEach(() => service.stop());

interface Listed {
  readonly beans: { name: string; instantiated: boolean; dependencies: string[]; links: { json: string } }[];
}

const index = async () => ((await (await fetch(`${service.url}/jig/bean`)).json()) as Listed).beans;
const read = async (name: string) => (await fetch(`${service.url}/jig/bean/${name}.json`)).json();

describe('looking', () => {
  it('at the list makes no bean, and opening one makes it once', async () => {
    for (let round = 0; round < 20; round++) {
      const lazy = (await index()).find(({ name }) => name === 'lazy');
      expect(lazy?.instantiated).toBe(false);
    }
    expect(await read('effects')).toEqual({ made: 0 });
    expect(await read('lazy')).toEqual({ number: 1 });
    expect(await read('needsLazy')).toEqual({ lazy: { number: 1 } });
    expect(await read('effects')).toEqual({ made: 1 });
    expect((await index()).find(({ name }) => name === 'needsLazy')).toMatchObject({
      instantiated: true,
      dependencies: ['lazy'],
    });
  });

  it('takes a bean as it is, be it a proxy or with a method then, and waits only for what is promised', async () => {
    expect(await read('trapped')).toBe('[Proxy]');
    expect(await read('late')).toEqual({ number: 1 });
    for (let round = 0; round < 5; round++) {
      const { asked } = (await read('thenable')) as { asked: number };
      expect(asked).toBeLessThan(2);
    }
  });

  it('a thousand times leaves every bean as it was, but for time and counters', async () => {
    const names = (await index()).map(({ name }) => name);
    for (const name of names) await read(name);
    const before = await Promise.all(names.map(async (name) => [name, withoutCounters(await read(name))]));
    const listed = await index();
    for (let round = 0; round < 1000 / names.length; round++) {
      await Promise.all(names.map((name) => read(name)));
      await fetch(`${service.url}/jig/bean.xml`).then((answer) => answer.text());
    }
    const after = await Promise.all(names.map(async (name) => [name, withoutCounters(await read(name))]));
    expect(after).toEqual(before);
    expect(await index()).toEqual(listed);
  }, 60_000);
});

/** What tells the time or counts what was asked for, and nothing else. */
const COUNTERS = new Set(['uptimeSeconds', 'memory', 'cpu', 'eventLoopDelay', 'connections', 'requests', 'shown']);

function withoutCounters(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (COUNTERS.has(key) ? undefined : each))) as unknown;
}
