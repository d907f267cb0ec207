import { fromAwilix } from '@jig/bean-inspection/awilix';
import { type AwilixContainer, aliasTo, asClass, asFunction, asValue, createContainer } from 'awilix';
import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../../frameworks/awkward-beans.ts';
import { beanSourceCases } from '../../frameworks/bean-source-cases.ts';

/** Counts what is created. */
function fixtureContainer() {
  let created = 0;
  const count = <Value>(value: Value) => {
    created++;
    return value;
  };
  class Clock {
    readonly started = count(0);
  }
  const container = createContainer<Record<string | symbol, unknown>>();
  container.register({
    clock: asClass(Clock).singleton(),
    basket: asFunction(() => count({ items: [] })).scoped(),
    timer: asFunction(() => count({})),
    database: asFunction(async () => count({ open: true })).singleton(),
    alias: aliasTo('clock'),
    aliasOfAlias: aliasTo('alias'),
    dangling: asFunction(() => count({})),
    broken: asFunction(() => {
      throw new Error('out of order');
    }).singleton(),
    own: { resolve: () => count({ custom: true }) },
    ownLeakSafe: { resolve: () => count({ custom: true }), isLeakSafe: true },
  });
  container.register(Symbol('secret thing'), asValue('by symbol'));
  container.register(Symbol('shared'), asValue(1));
  container.register(Symbol('shared'), asValue(2));
  for (const [name, value] of awkwardBeans) container.register(name, asValue(value));
  return { container, created: () => created };
}

const beans = {
  lazy: 'clock',
  request: 'basket',
  transient: 'timer',
  async: 'database',
  alias: { name: 'alias', target: 'clock' },
  duplicates: ['container:shared', 'container:shared#2'],
  broken: 'broken',
  later: 'later',
  values: new Map([...awkwardBeans, ['secret thing', 'by symbol']]),
  descriptions: {
    clock: { type: 'unknown', scope: 'singleton', owner: 'container', dependencies: 'unknown', instantiated: false },
    alias: { type: 'unknown', scope: 'singleton', dependencies: ['clock'], instantiated: false },
    aliasOfAlias: { scope: 'singleton', dependencies: ['alias'], instantiated: false },
    nothing: { type: 'null', scope: 'singleton', dependencies: [] },
    own: { scope: 'unknown', instantiated: 'unknown', dependencies: 'unknown' },
    ownLeakSafe: { scope: 'unknown', instantiated: 'unknown', dependencies: 'unknown' },
  },
} as const;

describe('fromAwilix', () => {
  const suite = beanSourceCases({
    beans,
    create() {
      const { container, created } = fixtureContainer();
      const addLater = () => void container.register('later', asValue(1));
      return { source: fromAwilix(container), newContext: () => ({}), created, addLater };
    },
  });
  it.each(suite)('$name', ({ run }) => run());

  it('does not know the value of a cached promise until its bean was opened', async () => {
    const { container } = fixtureContainer();
    const source = fromAwilix(container);
    const database = () => source.describe().find(({ name }) => name === 'database');
    await container.resolve('database');
    expect(database()).toMatchObject({ type: 'Promise', instantiated: 'unknown' });
    const { value } = await source.get('database', undefined);
    expect(database()).toMatchObject({ type: 'Object', instantiated: true });
    expect(source.peek('database')?.value).toBe(value);
  });

  it('reads a scoped bean from the scope of the request', async () => {
    const { container } = fixtureContainer();
    const scope = container.createScope();
    const basket = scope.resolve('basket');
    const source = fromAwilix(container);
    expect((await source.get('basket', { diScope: scope })).value).toBe(basket);
    expect((await source.get('basket', { container: scope })).value).toBe(basket);
    const byOption = fromAwilix(container, { scope: (request) => (request as { own: AwilixContainer }).own });
    expect((await byOption.get('basket', { own: scope })).value).toBe(basket);
    expect(container.cache.has('basket')).toBe(false);
  });

  it('reads from a scope its beans and the singletons of the root', () => {
    const { container } = fixtureContainer();
    const scope = container.createScope();
    const [clock, basket] = [scope.resolve('clock'), scope.resolve('basket')];
    const source = fromAwilix(scope);
    expect(source.peek('clock')).toEqual({ value: clock });
    expect(source.peek('basket')).toEqual({ value: basket });
    expect(fromAwilix(container).peek('basket')).toBeUndefined();
  });

  it('describes an alias of itself and of nothing, and rejects when it is opened', async () => {
    const container = createContainer().register({ one: aliasTo('other'), other: aliasTo('one'), lost: aliasTo('no') });
    const source = fromAwilix(container);
    expect(source.describe().map(({ dependencies, scope }) => [dependencies, scope])).toEqual([
      [['other'], 'unknown'],
      [['one'], 'unknown'],
      [['no'], 'unknown'],
    ]);
    for (const name of ['one', 'lost']) await expect(source.get(name, undefined)).rejects.toThrow(/Could not resolve/);
  });

  it.each(['constructor', 'toJSON'])(
    'rejects a bean named %s, for which Awilix returns something else',
    async (name) => {
      const source = fromAwilix(createContainer().register(name, asFunction(() => 1).singleton()));
      expect(source.has(name)).toBe(true);
      await expect(source.get(name, undefined)).rejects.toThrow(`Awilix gives no bean of the name ${name}.`);
    },
  );

  it.each([undefined, {}, createContainer().cradle])('refuses what is no container', (container) => {
    expect(() => fromAwilix(container as never)).toThrow(/^fromAwilix needs a container of Awilix 13/);
  });
});
