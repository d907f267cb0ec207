import { beforeEach, describe, expect, it } from 'vitest';
import { written } from '../../test-fixtures/shown.ts';
import { find } from '../find.ts';
import { inspect } from '../inspect.ts';
import { outline } from '../outline.ts';
import { glance } from './glance.ts';
import { stateLine } from './state-line.ts';

// As the libraries make them; test/real-world has the libraries themselves.

let fired: string[] = [];

/** Counts what it is asked for. */
const counting = { has: () => fired.push('has') > 0, ownKeys: () => [String(fired.push('ownKeys'))] };

/** As in Vue. */
class ReactiveHandler {
  readonly has = counting.has;
  readonly ownKeys = counting.ownKeys;

  get(target: object, key: PropertyKey): unknown {
    fired.push(String(key));
    return key === '__v_raw' ? target : Reflect.get(target, key);
  }
}

const reactive = <Target extends object>(target: Target) => new Proxy(target, new ReactiveHandler());

function mobx<Target extends object>(target: Target): Target {
  Object.defineProperty(target, Symbol('mobx administration'), { value: { values_: new Map([['a', { value_: 1 }]]) } });
  return new Proxy(target, { ...counting, get: () => fired.push('get') });
}

function draft(base: object, copy: object | null = null): object {
  const state = { type_: 0, scope_: {}, base_: base, copy_: copy };
  return new Proxy((Array.isArray(base) ? [state] : state) as object, { ...counting, get: () => fired.push('get') });
}

function prisma(): object {
  const client = { _runtimeDataModel: { models: { User: {} } }, _engineConfig: {}, _activeProvider: 'postgresql' };
  return new Proxy(client, { ...counting, get: () => fired.push('get') });
}

beforeEach(() => {
  fired = [];
});

describe('a proxy of a library that is known', () => {
  it.each([
    ['of Vue', () => reactive({ cart: [{ id: 1 }], count: 1 }), '{"cart":[{"id":1}],"count":1}'],
    ['of Vue that can only be read', () => reactive(reactive([1])), '[1]'],
    [
      'of Vue around a map',
      () => new Proxy(new Map([['a', 1]]), { get: (target, key) => key === '__v_raw' && target }),
      '{"a":1}',
    ],
    ['of MobX', () => mobx({ a: 1, b: mobx([mobx({ c: 2 })]) }), '{"a":1,"b":[{"c":2}]}'],
    ['of Immer', () => draft({ a: 1 }), '{"a":1}'],
    [
      'of Prisma',
      () => prisma(),
      '{"_runtimeDataModel":{"models":{"User":{}}},"_engineConfig":{},"_activeProvider":"postgresql"}',
    ],
    ['of Immer that was changed', () => draft({ a: 1 }, { a: 2, b: draft([1]) }), '{"a":2,"b":[1]}'],
  ])('%s is shown as its target, and no trap is run', (_, make, json) => {
    const proxy = make();
    expect(written({ proxy })).toBe(`{"proxy":${json}}`);
    expect(written(proxy)).toBe(json);
    expect(outline(proxy).entries).toHaveLength(Object.keys(JSON.parse(json) as object).length);
    expect(fired).toEqual([]);
  });

  it('is outlined, searched, and has a line', async () => {
    const bean = { store: reactive({ cart: [{ id: 'first order' }] }) };
    expect(inspect(bean, { at: '/store/cart/0/id' }).toString()).toBe('"first order"');
    expect((await find(bean, 'first')).hits.map(({ pointer }) => pointer)).toEqual(['/store/cart/0/id']);
    expect(stateLine(mobx({ a: 1 }))).toBe('a 1');
    expect(stateLine(reactive({ count: 3 }))).toBe('count 3');
    expect(fired).toEqual([]);
  });

  it('is a reference when it contains itself', () => {
    const target: Record<string, unknown> = { a: 1 };
    const proxy = reactive(target);
    Object.assign(target, { self: proxy, raw: target });
    expect(written({ proxy })).toBe('{"proxy":{"a":1,"self":"[Reference /proxy]","raw":"[Reference /proxy]"}}');
  });

  it('is masked behind a secret key, and texts behind its secret keys are masked everywhere', () => {
    const bean = {
      password: reactive({ a: 1 }),
      proxy: reactive({ token: 'hunter22hunter22' }),
      at: 'hunter22hunter22',
    };
    expect(written(bean)).toBe('{"password":"******","proxy":{"token":"******"},"at":"******"}');
  });

  it('is not shown when it is closed or without views', () => {
    const proxy = reactive({ a: 1 });
    expect(written({ proxy }, { closed: new Set([proxy]) })).toBe('{"proxy":"[Closed]"}');
    for (const options of [{ raw: true }, { views: [] }])
      expect(written({ proxy }, options)).toBe('{"proxy":"[Proxy]"}');
    expect(outline({ proxy }, { closed: new Set([proxy]) }).entries[0]).toMatchObject({ kind: 'closed' });
  });
});

it('of Prisma lists its models at a glance', () => {
  expect(glance(prisma())).toMatchObject({ view: 'PrismaClient', line: 'models User' });
  expect(fired).toEqual([]);
});

describe('a proxy of any other code', () => {
  it.each([
    ['with traps', () => new Proxy({ a: 1 }, { ...counting, get: () => fired.push('get') })],
    ['whose traps are a proxy', () => new Proxy({}, new Proxy({}, { get: () => void fired.push('handler') }))],
    ['of a proxy', () => new Proxy(new Proxy({}, counting), counting)],
    ['of an object with a part of the names of Immer', () => new Proxy({ base_: {}, copy_: null }, counting)],
  ])('%s is a marker, and no trap is run', (_, make) => {
    expect(written([make()])).toBe('["[Proxy]"]');
    expect(fired).toEqual([]);
  });

  it('is a marker when it was revoked', () => {
    const { proxy, revoke } = Proxy.revocable({ a: 1 }, new ReactiveHandler());
    revoke();
    expect(written([proxy])).toBe('["[Proxy]"]');
  });
});
