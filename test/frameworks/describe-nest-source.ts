import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type * as common12 from '@nestjs/common';
import type * as core12 from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { fromNest } from '../../packages/bean-inspection/src/sources/nest.ts';
import { awkwardBeans } from './awkward-beans.ts';
import { beanSourceCases } from './bean-source-cases.ts';

const token = Symbol('secret thing');

/** A class, decorated as TypeScript does it: the bundler of the tests emits no metadata. */
type Class = new (...args: never[]) => object;

interface Nest {
  readonly version: number;
  readonly common: typeof common12;
  readonly core: typeof core12;
}

const describeSource = ({ version, common, core }: Nest) => {
  const { Inject, Injectable, Module, Controller, Scope, forwardRef } = common;
  const { NestFactory, ModulesContainer, LazyModuleLoader, REQUEST } = core;
  let created = 0;

  class Clock {
    readonly made = ++created;
  }
  class Repository {
    readonly made = ++created;
    readonly parts: readonly unknown[];
    settings: unknown;
    constructor(clock: unknown, secret: unknown, database: unknown) {
      this.parts = [clock, secret, database];
    }
  }
  class Basket {
    readonly made = ++created;
    readonly request: unknown;
    constructor(request: unknown) {
      this.request = request;
    }
  }
  class Timer {
    readonly made = ++created;
  }
  class Checkout {
    readonly made = ++created;
    readonly basket: unknown;
    constructor(basket: unknown) {
      this.basket = basket;
    }
  }
  class ShopController {
    readonly repository: unknown;
    constructor(repository: unknown) {
      this.repository = repository;
    }
  }
  class Late {}
  class LateModule {}
  class FirstModule {}
  class SecondModule {}
  class AppModule {}
  const parameters = (type: Class, ...tokens: unknown[]) => {
    for (const [index, each] of tokens.entries()) Inject(each as never)(type, undefined, index);
  };
  for (const type of [Clock, Repository, Checkout, Late]) Injectable()(type);
  Injectable({ scope: Scope.REQUEST })(Basket);
  Injectable({ scope: Scope.TRANSIENT })(Timer);
  Controller('shop')(ShopController);
  parameters(Repository, Clock, token, 'database');
  Inject('settings')(Repository.prototype, 'settings');
  parameters(Basket, REQUEST);
  parameters(Checkout, Basket);
  parameters(ShopController, Repository);
  Module({ providers: [Late] })(LateModule);
  Module({ providers: [{ provide: 'log', useFactory: () => ({ level: 'first' }) }] })(FirstModule);
  Module({ providers: [{ provide: 'log', useValue: { level: 'second' } }] })(SecondModule);
  Module({
    imports: [FirstModule, SecondModule, { module: FirstModule, providers: [{ provide: 'extra', useValue: 1 }] }],
    controllers: [ShopController],
    providers: [
      Clock,
      Repository,
      Basket,
      Timer,
      Checkout,
      { provide: token, useValue: 'by symbol' },
      { provide: 'settings', useValue: { password: 'x' } },
      { provide: 'alias', useExisting: Clock },
      {
        provide: 'database',
        inject: [Clock],
        useFactory: async (clock: Clock) => {
          await pause(1);
          return { open: ++created, clock };
        },
      },
      {
        provide: 'broken',
        scope: Scope.REQUEST,
        useFactory: () => {
          throw new Error('out of order');
        },
      },
      ...[...awkwardBeans].map(([provide, useValue]) => ({ provide, useValue })),
    ],
  })(AppModule);

  const start = () => NestFactory.createApplicationContext(AppModule, { logger: false });
  /** Nest 11 does not link providers before they are needed. */
  const linkedLate = (dependencies: readonly string[]) => (version === 11 ? 'unknown' : dependencies);
  const values = new Map([...awkwardBeans, ['secret thing', 'by symbol']]);

  const suite = beanSourceCases({
    beans: {
      request: 'Basket',
      transient: 'Timer',
      alias: { name: 'alias', target: 'Clock' },
      duplicates: ['FirstModule:log', 'SecondModule:log', 'FirstModule:log#2'],
      broken: 'broken',
      later: 'Late',
      values,
      descriptions: {
        Clock: { type: 'Clock', scope: 'singleton', owner: 'AppModule', dependencies: [], instantiated: true },
        Repository: { dependencies: ['Clock', 'secret thing', 'database', 'settings'], scope: 'singleton' },
        Basket: { type: 'Basket', scope: 'request', dependencies: linkedLate(['REQUEST']), instantiated: false },
        Timer: { type: 'Timer', dependencies: [], instantiated: false },
        // It needs a bean of request scope.
        Checkout: {
          type: 'Checkout',
          scope: 'request',
          dependencies: ['Basket'],
          instantiated: false,
        },
        alias: { type: 'Clock', dependencies: ['Clock'], instantiated: true },
        database: { type: 'Object', dependencies: ['Clock'], instantiated: true },
        broken: { type: 'unknown', scope: 'request', dependencies: [] },
        ShopController: { type: 'ShopController', owner: 'AppModule', dependencies: ['Repository'] },
        'SecondModule:log': { owner: 'SecondModule' },
      },
    },
    async create() {
      const app = await start();
      return {
        source: fromNest(app.get(ModulesContainer)),
        newContext: () => ({ headers: {} }),
        created: () => created,
        addLater: async () => void (await app.get(LazyModuleLoader).load(() => LateModule)),
        release: () => app.close(),
      };
    },
  });
  it.each(suite)('$name', ({ run }) => run());

  it('lists no parts of Nest itself', async () => {
    const app = await start();
    const names = fromNest(app.get(ModulesContainer))
      .describe()
      .map(({ name }) => name);
    expect(names.filter((name) => /Module|ApplicationConfig|Reflector|REQUEST|INQUIRER/.test(name))).toEqual([
      'FirstModule:log',
      'SecondModule:log',
      'FirstModule:log#2',
    ]);
    const without = fromNest(app.get(ModulesContainer), { exceptModules: ['FirstModule'] });
    expect(without.has('log')).toBe(true);
    await app.close();
  });

  it('shows no bean that is not created yet while the application starts', async () => {
    let seen: unknown[] = [];
    class Waiting {
      readonly filled = true;
      readonly gate: unknown;
      constructor(gate: unknown) {
        this.gate = gate;
      }
    }
    class StartingModule {}
    Injectable()(Waiting);
    parameters(Waiting, 'gate');
    Module({
      providers: [
        Waiting,
        { provide: 'gate', useFactory: () => pause(20, {}) },
        {
          provide: 'early',
          inject: [ModulesContainer],
          async useFactory(modules: InstanceType<typeof ModulesContainer>) {
            const source = fromNest(modules);
            const refused = await source.get('Waiting', {}).catch((error: Error) => error.message);
            const [waiting] = source.describe();
            seen = [source.peek('Waiting'), refused, waiting];
            return {};
          },
        },
      ],
    })(StartingModule);
    const app = await NestFactory.createApplicationContext(StartingModule, { logger: false });
    expect(seen).toEqual([
      undefined,
      'Nest has not created Waiting yet; it creates it while it starts.',
      expect.objectContaining({
        name: 'Waiting',
        type: 'Waiting',
        instantiated: false,
        dependencies: ['gate'],
      }),
    ]);
    expect(fromNest(app.get(ModulesContainer)).peek('Waiting')?.value).toMatchObject({ filled: true });
    await app.close();
  });

  it('knows scope and needs of providers that need each other in a circle, one of them a bean of request scope', async () => {
    class One {}
    class Other {}
    class CircleModule {}
    for (const type of [One, Other]) Injectable()(type);
    parameters(
      One,
      forwardRef(() => Other),
    );
    parameters(
      Other,
      forwardRef(() => One),
      REQUEST,
    );
    Module({ providers: [One, Other] })(CircleModule);
    const app = await NestFactory.createApplicationContext(CircleModule, { logger: false });
    const scopes = fromNest(app.get(ModulesContainer)).describe();
    expect(scopes.map(({ name, scope, dependencies }) => [name, scope, dependencies])).toEqual([
      ['One', 'request', ['Other']],
      ['Other', 'request', ['One', 'REQUEST']],
    ]);
    await app.close();
  });

  it('refuses what is no ModulesContainer', () => {
    expect(() => fromNest({} as never)).toThrow(`fromNest needs the ModulesContainer of Nest 11 or 12`);
  });
};

/** The tests of `fromNest` with one version of Nest. */
export const describeNestSource = (nest: Nest) =>
  describe(`fromNest with Nest ${nest.version}`, () => describeSource(nest));
