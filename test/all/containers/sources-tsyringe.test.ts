import 'reflect-metadata';
import { fromTsyringe } from '@jig/bean-inspection/tsyringe';
import { delay, container as global, inject, injectAll, injectable, instanceCachingFactory, Lifecycle } from 'tsyringe';
import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../../frameworks/awkward-beans.ts';
import { beanSourceCases } from '../../frameworks/bean-source-cases.ts';

let created = 0;

class Clock {
  readonly made = ++created;
}
class Repository {
  readonly made = ++created;
  readonly parts: readonly unknown[];
  constructor(clock: unknown, database: unknown, shared: unknown, later: unknown) {
    this.parts = [clock, database, shared, later];
  }
}
class Undecorated {
  readonly clock: unknown;
  constructor(clock: unknown) {
    this.clock = clock;
  }
}
// As decorators and tsc would do it: the bundler of the tests emits no metadata.
Reflect.defineMetadata('design:paramtypes', [Clock, Object, Array, Object], Repository);
inject('settings')(Repository, undefined, 1);
injectAll('shared')(Repository, undefined, 2);
inject(delay(() => Clock))(Repository, undefined, 3);
for (const type of [Clock, Repository]) injectable()(type);

/** tsyringe takes null and undefined for no value at all. */
const values = new Map([...awkwardBeans].filter(([, value]) => value != null));

function fixtureContainer() {
  const container = global.createChildContainer();
  container.registerSingleton(Clock);
  container.registerSingleton(Repository);
  container.register('request', { useClass: Clock }, { lifecycle: Lifecycle.ResolutionScoped });
  container.register('timer', { useClass: Clock });
  container.register('scoped', { useClass: Clock }, { lifecycle: Lifecycle.ContainerScoped });
  container.register('settings', { useValue: { password: 'x' } });
  container.register('database', { useFactory: instanceCachingFactory(async () => ({ open: ++created })) });
  container.register('alias', { useToken: Clock });
  container.register('shared', { useValue: 'first' });
  container.register('shared', { useClass: Clock }, { lifecycle: Lifecycle.Singleton });
  container.register('broken', { useClass: Undecorated });
  container.register(Symbol('secret thing'), { useValue: 'by symbol' });
  for (const [name, value] of values) container.register(name, { useValue: value });
  container.isRegistered('only asked about');
  return container;
}

describe('fromTsyringe', () => {
  const suite = beanSourceCases({
    beans: {
      lazy: 'Repository',
      request: 'request',
      transient: 'timer',
      async: 'database',
      alias: { name: 'alias', target: 'Clock' },
      duplicates: ['child container:shared', 'child container:shared#2'],
      broken: 'broken',
      later: 'later',
      values: new Map([...values, ['secret thing', 'by symbol']]),
      descriptions: {
        Clock: { type: 'Clock', scope: 'singleton', owner: 'child container', dependencies: [], instantiated: false },
        Repository: {
          type: 'Repository',
          dependencies: ['Clock', 'settings', 'child container:shared', 'child container:shared#2'],
        },
        alias: { type: 'Clock', scope: 'singleton', dependencies: ['Clock'], instantiated: false },
        database: { type: 'unknown', scope: 'unknown', dependencies: 'unknown', instantiated: 'unknown' },
        settings: { type: 'Object', scope: 'singleton', dependencies: [], instantiated: true },
        broken: { type: 'Undecorated', dependencies: 'unknown' },
      },
    },
    create() {
      const container = fixtureContainer();
      const addLater = () => void container.register('later', { useValue: 1 });
      return { source: fromTsyringe(container), newContext: () => undefined, created: () => created, addLater };
    },
  });
  it.each(suite)('$name', ({ run }) => run());

  it('does not list a token that was only checked', () => {
    expect(fromTsyringe(fixtureContainer()).has('only asked about')).toBe(false);
  });

  it('describes an alias of nothing, and rejects when it is opened', async () => {
    const source = fromTsyringe(fixtureContainer().register('lost', { useToken: 'nowhere' }));
    const lost = source.describe().find(({ name }) => name === 'lost');
    expect(lost).toMatchObject({
      type: 'unknown',
      scope: 'unknown',
      dependencies: ['nowhere'],
      instantiated: 'unknown',
    });
    await expect(source.get('lost', undefined)).rejects.toThrow(/nowhere/);
  });

  it('lists what a child container overrides once, and its parent as the owner of the rest', async () => {
    const parent = fixtureContainer();
    const child = parent.createChildContainer();
    child.register('settings', { useValue: 'of the child' });
    const source = fromTsyringe(child);
    const owners = Object.fromEntries(source.describe().map(({ name, owner }) => [name, owner]));
    expect(owners).toMatchObject({ settings: 'child container', Clock: 'parent container 1' });
    expect(source.peek('settings')).toEqual({ value: 'of the child' });
    expect((await source.get('scoped', undefined)).value).not.toBe((await fromTsyringe(parent).get('scoped', 0)).value);
  });

  it.each([undefined, {}, { _registry: {} }])(
    'rejects a container of another shape, and names the supported version',
    (container) => {
      expect(() => fromTsyringe(container as never)).toThrow(/^fromTsyringe needs a container of tsyringe 4 /);
    },
  );
});
