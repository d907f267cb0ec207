import type { Feature } from '@jig/application';
import type { BeanInspectionOptions, Inspectable } from '@jig/bean-inspection';
import type { View } from '@jig/inspect';
import { afterEach, describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import beanInspectionAddOn from '../../packages/bean-inspection/src/add-on.ts';
import { serveBeans } from '../support/serve-beans.ts';

class Pool {
  busy = 3;
  readonly password = 'swordfish-77';
}

const view: View<Pool> = {
  name: 'test.Pool',
  matches: (value): value is Pool => value instanceof Pool,
  readings: {
    connections: { read: ({ busy }) => busy, of: () => 10 },
    mode: { read: () => 'session', isSetting: true },
  },
};

const glance = {
  line: '3 of 10 connections',
  view: 'test.Pool',
  readings: [
    { name: 'connections', isSetting: false, ask: false, of: 10, value: 3 },
    { name: 'mode', isSetting: true, ask: false, value: 'session' },
  ],
};

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function serve(beans: Inspectable, options: BeanInspectionOptions = {}) {
  const { url, close } = await serveBeans(beans, options);
  closings.push(close);
  return (path: string, given?: RequestInit) => fetch(`${url}/jig/${path}`, given);
}

type Get = Awaited<ReturnType<typeof serve>>;

const bodyOf = async (get: Get, path: string) => (await get(path)).text();

async function linesOf(get: Get): Promise<Record<string, unknown>> {
  const { beans } = JSON.parse(await bodyOf(get, 'bean.json')) as { beans: { name: string; line?: string }[] };
  return Object.fromEntries(beans.map(({ name, line }) => [name, line]));
}

/** Calls tools as agents do, and gives the texts that they answer. */
async function agentOf(beans: Inspectable, views: readonly View[]) {
  const get = await serve(beans, { views });
  return async (name: string, given: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
    const answer = await get('mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
    return result.content.map(({ text }) => text);
  };
}

describe('/jig/bean/{name}.json?glance', () => {
  it('has the glance before the document, which is the same as without', async () => {
    const get = await serve({ pool: new Pool() }, { views: [view] });
    const document = await bodyOf(get, 'bean/pool.json');
    expect(document).toBe('{"busy":3,"password":"******"}');
    expect(await bodyOf(get, 'bean/pool.json?glance')).toBe(`{"glance":${JSON.stringify(glance)},"bean":${document}}`);
    expect(await bodyOf(get, 'bean/pool.json?glance=false')).toBe(document);
  });

  it('is 400 for XML and for a bad value', async () => {
    const get = await serve({ pool: new Pool() });
    const xml = await get('bean/pool.xml?glance');
    expect([xml.status, await xml.text()]).toEqual([400, expect.stringContaining('glance comes as JSON only')]);
    expect((await get('bean/pool.json?glance=perhaps')).status).toBe(400);
  });
});

describe('the list', () => {
  it('has a line on the state of each bean that exists, masked, and none of a closed one', async () => {
    const beans = {
      pool: new Pool(),
      cache: new Map([['a', 1]]),
      account: { owner: 'Ada', password: 'hunter-2222', note: 'hunter-2222' },
      nothing: null,
      hidden: { name: 'closed' },
      get lazy(): never {
        throw new Error('created');
      },
    };
    const get = await serve(beans, { views: [view], deny: ['hidden', 'process'] });
    expect(await linesOf(get)).toEqual({
      pool: '3 of 10 connections',
      cache: '1 entry',
      account: 'owner Ada, password ******, note ******',
      nothing: undefined,
      lazy: undefined,
    });
    expect(await bodyOf(get, 'bean.xml')).toContain('<line>3 of 10 connections</line>');
  });
});

describe('coding agents', () => {
  it('get the glance before the document, and the line in the list', async () => {
    const call = await agentOf({ pool: new Pool(), plain: { a: 1 } }, [view]);
    expect(await call('read_bean', { name: 'pool' })).toEqual([
      '{"view":"test.Pool","connections":"3 of 10","mode":"session"}',
      '{"busy":3,"password":"******"}',
    ]);
    expect(await call('read_bean', { name: 'plain' })).toEqual(['{"a":1}']);
    expect(await call('read_bean', { name: 'pool', at: '/busy' })).toEqual(['3']);
    expect((await call('list_beans', { name: 'pool' }))[0]).toContain('"line":"3 of 10 connections"');
  });
});

describe('POST /jig/bean/{name} with ask', () => {
  const views: readonly View[] = [
    {
      name: 'test.Queue',
      matches: (value): value is object => value instanceof Map,
      readings: {
        jobs: { ask: true, read: async (queue) => (queue as Map<string, number>).get('jobs') },
        broken: { ask: true, read: () => Promise.reject(new Error('redis://me:hunter22@host/ is down')) },
      },
    },
  ];
  const beans = () => ({ queue: new Map([['jobs', 12]]), plain: {}, hidden: new Map() });
  const onError = () => undefined;
  const post: RequestInit = { method: 'POST', redirect: 'manual' };
  const asForm = (text: string): RequestInit => ({
    ...post,
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: text,
  });

  it('reads a value that lives elsewhere, as nothing else does', async () => {
    const get = await serve(beans(), { views });
    const unasked = { name: 'jobs', isSetting: false, ask: true };
    const first = async () => JSON.parse(await bodyOf(get, 'bean/queue.json?glance')).glance.readings[0];
    expect(await first()).toEqual(unasked);
    const answer = await get('bean/queue?ask=jobs', post);
    expect([answer.status, await answer.json()]).toEqual([200, { ...unasked, askedAt: expect.any(String), value: 12 }]);
    expect(await first()).toMatchObject({ value: 12 });
    const asXml = { ...post, headers: { accept: 'application/xml' } };
    expect(await (await get('bean/queue?ask=jobs', asXml)).text()).toContain('<value>12</value>');
  });

  it('redirects a browser back to the page after any answer', async () => {
    const get = await serve(beans(), { views, onError });
    for (const field of ['jobs', 'broken']) {
      const answer = await get('bean/queue', asForm(`ask=${field}`));
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/jig/bean/queue.html#glance']);
    }
    expect(await bodyOf(get, 'bean/queue.json?glance')).toContain(
      '"fault":"[Threw Error: redis://******@host/ is down]"',
    );
  });

  it('is a problem when the reading fails, is unknown, given twice or empty, or the bean is closed or not created', async () => {
    const source = {
      ...beans(),
      get lazy(): never {
        throw new Error('created');
      },
    };
    const get = await serve(source, { views, deny: ['hidden'], onError });
    const told = async (path: string, given = post) => {
      const answer = await get(path, given);
      return [answer.status, await answer.text()];
    };
    expect(await told('bean/queue?ask=broken')).toEqual([503, expect.stringContaining('redis://******@host/ is down')]);
    expect(await told('bean/queue?ask=others')).toEqual([404, expect.stringContaining('no such reading')]);
    expect(await told('bean/queue?ask=jobs', asForm('ask=jobs'))).toEqual([400, expect.stringContaining('only once')]);
    expect(await told('bean/queue?ask=')).toEqual([404, expect.stringContaining('no such reading')]);
    expect((await told('bean/hidden?ask=jobs'))[0]).toBe(403);
    expect((await told('bean/lazy?ask=jobs'))[0]).toBe(409);
    expect((await told('bean/queue?ask=jobs', { ...post, headers: { 'sec-fetch-site': 'cross-site' } }))[0]).toBe(403);
  });
});

describe('host.view', () => {
  it('shows the glance of a class from a view of a part', async () => {
    const feature: Feature = {
      name: 'pools',
      register(host) {
        host.define('pool', { type: 'Pool', create: () => new Pool() });
        host.view(view);
      },
    };
    await using application = await startApplication([beanInspectionAddOn, feature]);
    const answer = await fetch(`${application.url}/jig/bean/pool.json?glance`);
    expect(await answer.json()).toMatchObject({ glance });
  });
});
