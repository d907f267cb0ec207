import type { BeanInspectionOptions, Inspectable } from '@jig/bean-inspection';
import { afterEach, describe, expect, it } from 'vitest';
import { serveBeans } from '../../../../test/support/serve-beans.ts';
import type { BeanDescription, BeanSource } from '../sources/bean-source.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server for these beans, and a function that calls one of its methods. */
async function serve(source: Inspectable, options: BeanInspectionOptions = {}) {
  const { url, close } = await serveBeans(source, options);
  opened.push(close);
  const post = (body: string, headers = {}) =>
    fetch(`${url}/jig/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  async function ask(method: string, params: object = {}) {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return answer.json();
  }
  async function call(name: string, given: object = {}): Promise<{ texts: string[]; isError: boolean }> {
    const { result } = await ask('tools/call', { name, arguments: given });
    return { texts: result.content.map(({ text }: { text: string }) => text), isError: result.isError === true };
  }
  const told = async (name: string, given: object = {}) => JSON.parse((await call(name, given)).texts[0] ?? '');
  return { post, ask, call, told };
}

const described = (name: string, more: Partial<BeanDescription> = {}): BeanDescription => ({
  name,
  type: 'Thing',
  scope: 'singleton',
  owner: 'shop',
  dependencies: [],
  instantiated: true,
  ...more,
});

const many: BeanSource = {
  describe: () => Array.from({ length: 200 }, (_, index) => described(`bean${index}`, { dependencies: ['bean0'] })),
  has: (name) => name.startsWith('bean'),
  peek: (name) => ({ value: { name } }),
  get: async () => ({ value: undefined }),
};

const manyNames = [...many.describe().map(({ name }) => name), 'process'];

describe('list_beans', () => {
  const source: BeanSource = {
    describe: () => [
      described('orders', { dependencies: ['ordersPool'], owner: 'shop' }),
      described('ordersPool', { type: 'Pool', owner: 'database' }),
      described('mailer', { instantiated: false, replaced: true }),
    ],
    has: () => true,
    peek: () => undefined,
    get: async () => ({ value: undefined }),
  };

  it('returns state, dependencies and dependents of each bean', async () => {
    const { told } = await serve(source);
    const thing = { type: 'Thing', scope: 'singleton', owner: 'shop' };
    expect(await told('list_beans')).toEqual({
      total: 3,
      beans: [
        { name: 'orders', ...thing, instantiated: true, dependencies: ['ordersPool'], dependents: [] },
        {
          name: 'ordersPool',
          type: 'Pool',
          scope: 'singleton',
          owner: 'database',
          instantiated: true,
          dependencies: [],
          dependents: ['orders'],
        },
        { name: 'mailer', ...thing, instantiated: false, dependencies: [], dependents: [], replaced: true },
      ],
    });
  });

  it.each([
    [{ name: 'ORDERS' }, ['orders', 'ordersPool']],
    [{ type: 'pool' }, ['ordersPool']],
    [{ owner: 'shop', name: 'o' }, ['orders']],
    [{ name: 'none' }, []],
    [{ from: 2 }, ['mailer']],
  ])('lists for %j only %j', async (given, names) => {
    const { told } = await serve(source);
    const { beans } = await told('list_beans', given);
    expect(beans.map(({ name }: BeanDescription) => name)).toEqual(names);
  });

  it('lists as many beans as fit, and the rest with from', async () => {
    const { call, told } = await serve(many);
    const names: string[] = [];
    for (let from = 0; from < 200; ) {
      const { texts } = await call('list_beans', { from });
      expect(texts[0]?.length).toBeLessThanOrEqual(32_000);
      const { beans, next } = await told('list_beans', { from });
      names.push(...beans.map(({ name }: BeanDescription) => name));
      expect(beans.length).toBeGreaterThan(0);
      from += beans.length;
      if (from < 200) expect(next).toContain(`call again with from=${from},`);
      else expect(next).toBeUndefined();
    }
    expect(names).toEqual(manyNames);
  });
});

describe('read_bean', () => {
  it('reads a part, as JSON or XML', async () => {
    const { call } = await serve({ pool: { idle: [{ host: 'db.example' }], password: 'planted-password' } });
    expect(await call('read_bean', { name: 'pool', at: '/idle/0' })).toEqual({
      texts: ['{"host":"db.example"}'],
      isError: false,
    });
    const { texts } = await call('read_bean', { name: 'pool', format: 'xml' });
    expect(texts[0]).toContain('<password>******</password>');
  });

  it('respects the limits of the mount', async () => {
    const { call, ask } = await serve({ list: [[[1]], 2, 3] }, { depth: 2, limit: 2 });
    const { result } = await ask('tools/list');
    const { properties } = result.tools.find(({ name }: { name: string }) => name === 'read_bean').inputSchema;
    expect([properties.depth.maximum, properties.limit.maximum]).toEqual([2, 2]);
    const { texts, isError } = await call('read_bean', { name: 'list', depth: 3 });
    expect([isError, texts[0]]).toEqual([true, 'The argument depth must be a whole number from 1 to 2.']);
    expect((await call('read_bean', { name: 'list' })).texts[0]).toBe('[["[Depth limit]"],2,"[1 more]"]');
  });
});

describe('find', () => {
  it('finds names, types, keys and values, but nothing masked', async () => {
    const { told } = await serve({
      needle: { a: 1 },
      other: { needleKey: 1, list: ['a Needle in hay'], token: 'needle' },
    });
    const { hits, isComplete } = await told('find', { text: 'needle' });
    expect(isComplete).toBe(true);
    expect(hits).toEqual([
      { bean: 'needle', at: '', in: 'name', text: 'needle' },
      expect.objectContaining({ bean: 'other', at: '/needleKey', in: 'key' }),
      expect.objectContaining({ bean: 'other', at: '/list/0', in: 'value' }),
    ]);
  });
});

describe('compare_bean', () => {
  it('returns the changes since a snapshot, without secrets', async () => {
    const cart = { items: ['tea'], total: 3, token: 'planted-before' as string, note: 'x' as string | undefined };
    const { told } = await serve({ cart });
    const { snapshot, next } = await told('compare_bean', { name: 'cart' });
    expect(next).toBe(
      `call again with since="${snapshot}" to see what changed; a call without since keeps another snapshot`,
    );
    expect(await told('compare_bean', { name: 'cart', since: snapshot })).toMatchObject({ total: 0, differences: [] });
    cart.items.push('milk'.repeat(1000));
    cart.total = 5;
    cart.token = 'planted-after';
    const { differences } = await told('compare_bean', { name: 'cart', since: snapshot });
    expect(differences).toEqual([
      { at: '/items/1', kind: 'added', now: expect.stringContaining('more characters]') },
      { at: '/total', kind: 'changed', before: 3, now: 5 },
    ]);
  });
});

describe('history', () => {
  it('starts recording, says so, and returns later how the value has changed', async () => {
    const queue = { jobs: [1, 2], isPaused: false };
    const { told } = await serve({ queue });
    const first = await told('history', { name: 'queue', at: '/jobs', minutes: 60 });
    expect(first).toEqual({
      bean: 'queue',
      at: '/jobs',
      minutes: 60,
      stepSeconds: 60,
      value: 2,
      min: 2,
      mean: 2,
      max: 2,
      points: [{ time: expect.any(String), min: 2, mean: 2, max: 2 }],
      crossings: [],
      next: 'it was not recorded; it is from now on, so call again later',
    });
    queue.jobs.push(3);
    await expect.poll(() => told('history', { name: 'queue', at: '/jobs' })).toMatchObject({ value: 3, max: 3 });
    expect(await told('history', { name: 'queue', at: '/jobs' })).not.toHaveProperty('next');
  });
});

describe('health', () => {
  it('describes the process and its beans', async () => {
    const { told } = await serve(many);
    expect(await told('health')).toEqual({
      uptimeSeconds: expect.any(Number),
      memoryMegabytes: { resident: expect.any(Number), heapUsed: expect.any(Number) },
      node: process.version,
      beans: { total: 201, instantiated: 201 },
    });
  });
});

describe('the endpoint', () => {
  it.each([
    ['read_bean', { name: 'Pools' }, 'Similar names: "pool"'],
    ['read_bean', { name: 'later' }, 'was not created yet'],
    ['read_bean', { name: 'pool', at: '/busy' }, 'nothing at that JSON Pointer'],
    ['read_bean', { name: 'pool', at: 'idle' }, 'must be a JSON Pointer'],
    ['read_bean', { name: 'closed' }, 'the option allow of beanInspection'],
    ['compare_bean', { name: 'pool', since: '99' }, 'there is no such snapshot'],
    ['compare_bean', { name: 'none' }, 'no bean of that name'],
    ['compare_bean', { name: 'closed' }, 'This bean is closed'],
    ['history', { name: 'closed', at: '' }, 'the bean is closed'],
    ['history', { name: 'pool' }, 'Give one of the arguments at and reading.'],
    ['history', { name: 'pool', at: '/planted-secret' }, 'its pointer holds a secret'],
    ['history', { name: 'pool', at: '', minutes: 1441 }, 'minutes must be a whole number from 1 to 1440'],
  ])('says what is wrong when %s is called with %j', async (name, given, words) => {
    const beans = {
      pool: { idle: [], 'planted-secret': 1 },
      closed: {},
      get later(): object {
        throw new Error('created by looking');
      },
    };
    const { call } = await serve(beans, { deny: ['closed'], secrets: ['planted-secret'] });
    const { texts, isError } = await call(name, given);
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining(words)]);
    expect(texts[0]).not.toContain('planted-secret');
  });

  it('annotates every tool as read-only, and describes every argument', async () => {
    const { ask } = await serve({});
    const { result } = await ask('tools/list');
    for (const { description, annotations, inputSchema } of result.tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(description.length).toBeGreaterThan(200);
      for (const argument of Object.values<{ description?: string }>(inputSchema.properties ?? {}))
        expect(argument.description).toBeTruthy();
    }
  });

  it('answers 404 when the option mcp is false', async () => {
    const { post } = await serve({}, { mcp: false });
    const answer = await post('{}');
    expect([answer.status, (await answer.json()).detail]).toEqual([
      404,
      'Resource not found: the option mcp of beanInspection is false.',
    ]);
  });
});
