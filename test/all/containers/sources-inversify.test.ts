import 'reflect-metadata';
import { fromInversify } from '@jig/bean-inspection/inversify';
import { Container, ContainerModule, inject, injectable, LazyServiceIdentifier, multiInject } from 'inversify';
import { describe, expect, it } from 'vitest';
import { awkwardBeans } from '../../frameworks/awkward-beans.ts';
import { beanSourceCases } from '../../frameworks/bean-source-cases.ts';

let created = 0;

class Clock {
  readonly made = ++created;
}
class Repository {
  readonly made = ++created;
  settings: unknown;
  readonly parts: readonly unknown[];
  constructor(...parts: unknown[]) {
    this.parts = parts;
  }
}
class Basket {
  readonly made = ++created;
}
// As decorators, for which the bundler of the tests emits no metadata.
for (const type of [Clock, Repository, Basket]) injectable()(type);
inject(Clock)(Repository, undefined, 0);
inject(new LazyServiceIdentifier(() => 'database'))(Repository, undefined, 1);
multiInject('shared')(Repository, undefined, 2);
inject('nothing')(Repository.prototype, 'settings');

function fixtureContainer() {
  const parent = new Container();
  parent.bind('of the parent').toConstantValue({ parent: true });
  const container = new Container({ parent });
  container.bind(Clock).toSelf().inSingletonScope();
  container.bind(Repository).toSelf().inSingletonScope();
  container.bind(Basket).toSelf().inRequestScope();
  container.bind('timer').to(Basket).inTransientScope();
  container
    .bind('database')
    .toDynamicValue(async () => ({ open: ++created }))
    .inSingletonScope();
  container.bind('alias').toService(Clock);
  container
    .bind('shared')
    .toDynamicValue(() => ({ first: ++created }))
    .inSingletonScope();
  container.bind('shared').toConstantValue('second');
  container
    .bind('sum')
    .toResolvedValue((clock: Clock) => ({ clock, made: ++created }), [Clock])
    .inSingletonScope();
  container
    .bind('broken')
    .toDynamicValue(() => {
      throw new Error('out of order');
    })
    .inSingletonScope();
  container.bind(Symbol.for('secret thing')).toConstantValue('by symbol');
  container.load(
    new ContainerModule(({ bind }) => {
      bind('of a module').toConstantValue(1);
    }),
  );
  for (const [name, value] of awkwardBeans) container.bind(name).toConstantValue(value);
  return container;
}

describe('fromInversify', () => {
  const suite = beanSourceCases({
    beans: {
      lazy: 'Repository',
      request: 'Basket',
      transient: 'timer',
      async: 'database',
      alias: { name: 'alias', target: 'Clock' },
      duplicates: ['container:shared', 'container:shared#2'],
      broken: 'broken',
      later: 'later',
      values: new Map([...awkwardBeans, ['secret thing', 'by symbol'], ['of a module', 1]]),
      descriptions: {
        Clock: { type: 'Clock', scope: 'singleton', owner: 'container', dependencies: [], instantiated: false },
        Repository: {
          type: 'Repository',
          dependencies: ['Clock', 'database', 'container:shared', 'container:shared#2', 'nothing'],
        },
        alias: { type: 'Clock', scope: 'singleton', dependencies: ['Clock'], instantiated: false },
        timer: { type: 'Basket' },
        sum: { type: 'unknown', dependencies: ['Clock'] },
        database: { type: 'unknown', scope: 'singleton', dependencies: 'unknown', instantiated: false },
        'of the parent': { type: 'Object', instantiated: true },
      },
    },
    create() {
      const container = fixtureContainer();
      const source = fromInversify(container);
      const addLater = () => void container.bind('later').toConstantValue(1);
      return { source, newContext: () => undefined, created: () => created, addLater };
    },
  });
  it.each(suite)('$name', ({ run }) => run());

  it('names the module of a binding as its owner', () => {
    const found = fromInversify(fixtureContainer())
      .describe()
      .find(({ name }) => name === 'of a module');
    expect(found?.owner).toMatch(/^module \d+$/);
  });

  it('follows snapshot and restore', () => {
    const container = fixtureContainer();
    const source = fromInversify(container);
    container.snapshot();
    container.bind('added').toConstantValue(1);
    expect(source.has('added')).toBe(true);
    container.restore();
    expect(source.has('added')).toBe(false);
  });

  it('describes an alias of several beans as unknown, and rejects when it is opened', async () => {
    const container = fixtureContainer();
    container.bind('alias of several').toService('shared');
    const source = fromInversify(container);
    const alias = source.describe().find(({ name }) => name === 'alias of several');
    const dependencies = ['container:shared', 'container:shared#2'];
    expect(alias).toMatchObject({ type: 'unknown', scope: 'unknown', instantiated: 'unknown', dependencies });
    await expect(source.get('alias of several', undefined)).rejects.toThrow(/Ambiguous bindings/);
  });

  it('does not bind a class when it describes an alias of it', () => {
    const container = new Container({ autobind: true });
    container.bind('alias').toService(Clock);
    const source = fromInversify(container);
    expect(source.describe().map(({ name }) => name)).toEqual(['alias']);
    expect(source.describe().map(({ name }) => name)).toEqual(['alias']);
  });

  it('reports why one of several conditional bindings cannot be created', async () => {
    const container = new Container();
    container.bind('part').to(Clock).inSingletonScope().whenNamed('a');
    container.bind('part').to(Clock).inSingletonScope();
    await expect(fromInversify(container).get('container:part', undefined)).rejects.toThrow(
      'Inversify gives only 1 of the 2 bindings of part by its name alone.',
    );
  });

  it.each([undefined, {}, { register() {} }])('refuses what is no container', (container) => {
    expect(() => fromInversify(container as never)).toThrow('fromInversify needs a container of Inversify 8.');
  });
});
