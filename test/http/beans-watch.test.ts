import type { BeanInspectionOptions } from '@jig/bean-inspection';
import type { View } from '@jig/inspect';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failInProcess, startInProcess } from '../support/in-process.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';
import { withoutDatabase } from '../support/start-service.ts';

class Pool {
  waiting = 3;
  isOpen = true;
  readonly mode = 'session';
  readonly max = 10;
  readonly entries = new Map([['a', 1]]);
  readonly pin = 1234;
}

const view: View<Pool> = {
  name: 'test.Pool',
  matches: (value): value is Pool => value instanceof Pool,
  readings: {
    waiting: { read: ({ waiting }) => waiting, of: ({ max }) => max, unit: 'requests' },
    max: { read: ({ max }) => max, isSetting: true },
  },
};

let served: ServedBeans | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
  vi.restoreAllMocks();
});

interface Watched {
  readonly over?: number;
  readonly under?: number;
  readonly bean: string;
  readonly at?: string;
  readonly reading?: string;
  readonly value?: number;
  readonly fault?: string;
  readonly points: readonly { readonly mean: number }[];
  readonly crossings: readonly { readonly crossed: string; readonly snapshot?: string }[];
}

async function serve(options: BeanInspectionOptions = {}) {
  const pool = new Pool();
  served = await serveBeans({ pool, closed: { count: 1 } }, { views: [view], deny: ['closed'], ...options });
  const { url } = served;
  const send = (method: string, body: string | object, accept = 'application/json') =>
    fetch(`${url}/jig/watch`, {
      method,
      redirect: 'manual',
      headers: {
        accept,
        'content-type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const all = async (path = '/jig/watch.json') =>
    ((await (await fetch(url + path)).json()) as { values: readonly Watched[] }).values;
  const ofPool = async () => (await all()).filter(({ bean }) => bean === 'pool');
  return { pool, url, send, all, ofPool };
}

describe('POST /jig/watch', () => {
  it('records a reading, a number, a boolean and the size of a container, also without a page', async () => {
    const { pool, send, ofPool } = await serve();
    expect((await send('POST', 'bean=pool&reading=waiting')).status).toBe(201);
    expect((await send('POST', { bean: 'pool', at: '/isOpen' })).status).toBe(201);
    expect((await send('POST', 'bean=pool&at=/entries')).status).toBe(201);
    expect((await ofPool()).map(({ value }) => value)).toEqual([3, 1, 1]);
    pool.waiting = 7;
    pool.entries.set('b', 2);
    await expect.poll(async () => (await ofPool()).map(({ value }) => value)).toEqual([7, 1, 2]);
    expect((await ofPool())[0]).toMatchObject({ reading: 'waiting', unit: 'requests', of: 10, min: 3, max: 7 });
    expect((await send('POST', 'bean=pool&reading=waiting')).status).toBe(200);
  });

  it('redirects a browser back to the page it came from, and nowhere else', async () => {
    const { send } = await serve();
    const back = async (to: string) => {
      const answer = await send('POST', `bean=pool&at=/waiting&back=${encodeURIComponent(to)}`, 'text/html');
      return [answer.status, answer.headers.get('location')];
    };
    const page = '/jig/bean/pool.html?open=/entries#glance';
    expect(await back(page)).toEqual([303, page]);
    for (const elsewhere of ['https://example.com/', '//example.com/jig/bean/', '/jig/bean/\\x', '/jig/bean/\n', ''])
      expect(await back(elsewhere)).toEqual([303, '/jig/watch']);
  });

  it.each([
    ['bean=closed&at=/count', 403, 'closed'],
    ['bean=pool&at=/mode', 400, 'it is a text'],
    ['bean=pool&at=/waiting&reading=waiting', 400, 'Give either at'],
    ['at=/waiting', 400, 'The parameter bean is missing.'],
  ])('refuses %s', async (body, status, detail) => {
    const { send, ofPool } = await serve();
    const answer = await send('POST', body);
    const problem = (await answer.json()) as { status: number; detail: string };
    expect([answer.status, problem.status]).toEqual([status, status]);
    expect(problem.detail).toContain(detail);
    expect(await ofPool()).toEqual([]);
  });
});

describe('what is recorded', () => {
  it('includes the option watch from the start, also for a bean that does not exist yet', async () => {
    const { ofPool } = await serve({
      watch: [
        { bean: 'pool', reading: 'waiting', over: 5 },
        { bean: 'pool', at: '/later' },
      ],
    });
    await expect.poll(async () => (await ofPool())[0]?.points.length).toBeGreaterThan(0);
    expect(await ofPool()).toMatchObject([
      { reading: 'waiting', over: 5, value: 3 },
      { at: '/later', fault: 'there is nothing at this pointer' },
    ]);
  });
});

describe('a limit', () => {
  it('stays as it is when another one is set, and is removed when it is empty', async () => {
    const { send, ofPool } = await serve();
    const limits = async () => (await ofPool()).map(({ over, under }) => [over, under]);
    await send('POST', 'bean=pool&reading=waiting&over=50');
    await send('POST', 'bean=pool&reading=waiting&under=-4');
    expect(await limits()).toEqual([[50, -4]]);
    await send('POST', 'bean=pool&reading=waiting&over=');
    expect(await limits()).toEqual([[undefined, -4]]);
  });

  it('that is crossed calls onThreshold, is logged, and keeps a snapshot', async () => {
    const lines = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const events: unknown[] = [];
    const onThreshold = (event: unknown) => {
      events.push(event);
      if (events.length === 1) throw new Error('onThreshold failed');
      return Promise.reject(new Error('onThreshold was rejected'));
    };
    const failures: string[] = [];
    const onError = (_error: unknown, message: string) => void failures.push(message);
    const { pool, url, send, ofPool } = await serve({ onThreshold, onError });
    await send('POST', 'bean=pool&reading=waiting&over=5');
    pool.waiting = 8;
    await expect.poll(() => events.length).toBe(1);
    expect(events).toMatchObject([{ bean: 'pool', reading: 'waiting', crossed: 'over', limit: 5, value: 8 }]);
    expect(lines.mock.calls).toEqual([['bean inspection: "waiting" of the bean "pool" is 8, over its limit 5']]);
    await expect.poll(async () => (await ofPool())[0]?.crossings[0]?.snapshot).toBe('1');
    const compared = await (await fetch(`${url}/jig/compare.json?from=1`)).json();
    expect(compared).toMatchObject({ from: { name: 'waiting of pool over 5' } });
    await send('POST', 'bean=pool&reading=waiting&over=4');
    await expect
      .poll(() => failures)
      .toEqual(['onThreshold failed and was ignored.', 'onThreshold failed and was ignored.']);
    const page = await (
      await fetch(`${url}/jig/watch?bean=pool&reading=waiting`, { headers: { accept: 'text/html' } })
    ).text();
    expect(page).toContain('href="/jig/compare?from=1"');
    expect(page).toContain('one was kept less than 10 minutes before');
  });
});

describe('the service', () => {
  const watchedBy = async (environment: NodeJS.ProcessEnv = {}) => {
    const service = await startInProcess({ environment: { ...withoutDatabase, ...environment } });
    try {
      const answer = await fetch(`${service.url}/jig/watch.json`);
      const { values } = (await answer.json()) as { values: readonly Watched[] };
      return values.map(({ bean, at = '', reading = '' }) => `${bean} ${at}${reading}`);
    } finally {
      await service.stop();
    }
  };

  it('watches its sessions, its pool and the pages of the clock, besides the process', async () => {
    const values = await watchedBy();
    expect(values.slice(0, 3)).toEqual(['sessionManager created', 'databasePool waiting', 'clockPages pages']);
    expect(values).toHaveLength(9);
  });

  it('watches the values of beanInspection.watch, and rejects an invalid list', async () => {
    const [first] = await watchedBy({ JIG_BEAN_INSPECTION_WATCH: '[{"bean":"server","at":"","over":100}]' });
    expect(first).toBe('server ');
    for (const wrong of ['server', '[{"bean":"server"}]', '{}']) {
      const environment = { ...withoutDatabase, JIG_BEAN_INSPECTION_WATCH: wrong };
      const { stderr } = await failInProcess({ environment });
      expect(stderr).toMatch(/beanInspection\.watch .*expected a list of at most 50 values such as/);
    }
  });
});
