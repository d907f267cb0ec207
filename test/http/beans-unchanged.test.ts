import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { Feature } from '@jig/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type RunningApplication,
  startApplication,
} from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';

/** Beans that count how often they are created or asked, or that fail when a trap is fired. */
function lazyBeans(): Feature {
  let created = 0;
  const effects = {
    get created() {
      return created;
    },
  };
  const trapped = {
    get() {
      throw new Error('a trap was fired');
    },
  };
  return {
    name: 'lazy beans',
    register(host) {
      host.define('effects', { type: 'Effects', create: () => effects });
      host.define('lazy', { type: 'Lazy', create: () => ({ number: ++created }) });
      host.define('trapped', { type: 'Proxy', create: () => new Proxy({}, new Proxy({}, trapped)) });
      host.define('thenable', { type: 'Thenable', create: thenable });
    },
  };
}

/** An object that looks like a promise, and counts how often it is taken for one. */
function thenable(): { asked: number } {
  const bean = { asked: 0 };
  const methods = new Map([['then', () => void bean.asked++]]);
  return Object.assign(bean, Object.fromEntries(methods));
}

let application: RunningApplication;

// Opening a bean creates it, so each test needs an application where nobody has looked yet.
beforeEach(async () => {
  application = await startApplication([beanInspection, lazyBeans()]);
});

afterEach(() => application[Symbol.asyncDispose]());

interface Listed {
  readonly beans: { name: string; instantiated: boolean; dependencies: string[]; links: { json: string } }[];
}

const index = async () => ((await (await fetch(`${application.url}/jig/bean`)).json()) as Listed).beans;
const read = async (name: string) => (await fetch(`${application.url}/jig/bean/${name}.json`)).json();

/** Follows a bean live, as a page or as a document, until so many events have come. */
async function follow(path: string, events: number): Promise<void> {
  const request = httpGet(application.url + path, { headers: { accept: 'text/event-stream' }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect([path, response.statusCode]).toEqual([path, 200]);
  let seen = '';
  for await (const chunk of response.setEncoding('utf8')) {
    seen += chunk;
    if (seen.split('\ndata:').length > events) break;
  }
  request.destroy();
}

describe('every answer that reads all beans', () => {
  const get = async (path: string, accept = 'text/html') => {
    const answer = await fetch(application.url + path, { headers: { accept } });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };

  const keep = async (body: string) =>
    (await fetch(`${application.url}/jig/compare.json`, { method: 'POST', body: new URLSearchParams(body) })).status;

  /** Pages, pictures, searches and comparisons; of single beans only `effects`, which exists. */
  async function lookEverywhere(): Promise<void> {
    expect(await keep('wait=1&name=first')).toBe(201);
    await Promise.all([
      get('/jig/bean'),
      get('/jig/bean?find=e'),
      get('/jig/bean?find=e', 'application/json'),
      get('/jig/bean/effects.html?levels=3'),
      get('/jig/graph'),
      get('/jig/graph.dot'),
      get('/jig/bean.xml', 'application/xml'),
      get('/jig/graph.mmd'),
    ]);
    expect(await keep('wait=0&bean=effects')).toBe(201);
    for (const query of ['', '?from=first', '?from=first&always=1']) await get(`/jig/compare${query}`);
    await get('/jig/compare.json-patch?from=first');
  }

  it('creates no bean, fires no trap, and leaves beans unchanged during live streams', async () => {
    for (const name of ['effects', 'trapped', 'thenable', 'process', 'server']) await read(name);
    const existing = (await index()).filter(({ instantiated }) => instantiated).map(({ name }) => name);
    const state = async () =>
      Promise.all(existing.map(async (name) => [name, withoutCounters(await read(name))] as const));
    const before = await state();
    const live = Promise.all([
      follow('/jig/bean/process.html', 3),
      follow('/jig/bean/process.json', 3),
      follow('/jig/bean/effects.html?levels=3', 1),
      follow('/jig/bean/thenable.json', 1),
    ]);
    await lookEverywhere();
    await live;
    expect((await index()).filter(({ instantiated }) => instantiated).map(({ name }) => name)).toEqual(existing);
    // The streams that were left are closed a moment later, which the controller shows.
    await expect.poll(state).toEqual(before);
    expect(await read('effects')).toEqual({ created: 0 });
  });
});

/** What tells the time or counts what was asked for, and nothing else. */
const COUNTERS = new Set([
  'uptimeSeconds',
  'memory',
  'cpu',
  'eventLoopDelay',
  'eventLoopUtilization',
  'garbageCollection',
  'handles',
  'connections',
  'requests',
  'shown',
]);

function withoutCounters(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (COUNTERS.has(key) ? undefined : each))) as unknown;
}
