import { expect, it } from 'vitest';
import type { BeanDescription, BeanScope, BeanSource } from './bean-source.ts';
import { beanSourceCases } from './source-suite.ts';

/** A small container with one bean of each kind, and the source over it. */
function createContainer() {
  let created = 0;
  const make = () => ({ made: ++created });
  const singletons = new Map<string, unknown>([['value', null]]);
  const factories = new Map<string, { scope: BeanScope; create: () => unknown }>([
    ['lazy', { scope: 'singleton', create: make }],
    ['request', { scope: 'request', create: make }],
    ['broken', { scope: 'transient', create: () => Promise.reject(new Error('out of order')) }],
  ]);
  const source: BeanSource = {
    describe: () =>
      [...new Set([...singletons.keys(), ...factories.keys()])].map((name) => ({
        name,
        type: 'Object',
        scope: factories.get(name)?.scope ?? 'singleton',
        owner: 'test',
        dependencies: [],
        instantiated: singletons.has(name),
      })),
    has: (name) => singletons.has(name) || factories.has(name),
    peek: (name) => (singletons.has(name) ? { value: singletons.get(name) } : undefined),
    async get(name) {
      const { scope, create } = factories.get(name) ?? {};
      if (singletons.has(name) || create === undefined) return { value: singletons.get(name) };
      const value = await create();
      if (scope === 'singleton') singletons.set(name, value);
      return { value };
    },
  };
  return { source, make, created: () => created, addLater: () => void singletons.set('later', 1) };
}

type Container = ReturnType<typeof createContainer>;

/** The names of the cases that a source does not pass. */
async function failedCases(change: (container: Container) => Partial<BeanSource> = () => ({})) {
  const cases = beanSourceCases({
    beans: {
      lazy: 'lazy',
      request: 'request',
      broken: 'broken',
      later: 'later',
      values: new Map([['value', null]]),
      descriptions: { lazy: { scope: 'singleton' } },
    },
    create() {
      const container = createContainer();
      const { created, addLater } = container;
      return { source: { ...container.source, ...change(container) }, newContext: () => ({}), created, addLater };
    },
  });
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

const described = ({ source }: Container, change: (description: BeanDescription) => Partial<BeanDescription>) => ({
  describe: () => source.describe().map((description) => ({ ...description, ...change(description) })),
});

it('beanSourceCases all pass for a source without a defect', async () => {
  expect(await failedCases()).toEqual([]);
});

it.each<[string, (container: Container) => Partial<BeanSource>, string]>([
  [
    'lists a bean twice',
    ({ source }) => ({ describe: () => [...source.describe(), ...source.describe()] }),
    'describes each bean once, with all that a description has',
  ],
  [
    'has a scope that there is not',
    (container) => described(container, () => ({ scope: 'prototype' as BeanScope })),
    'describes each bean once, with all that a description has',
  ],
  [
    'describes a bean wrongly',
    (container) => described(container, () => ({ scope: 'unknown' })),
    'says of beans what the fixture expects',
  ],
  [
    'creates beans to describe them',
    ({ source, make }) => ({
      describe() {
        make();
        return source.describe();
      },
    }),
    'creates nothing by looking',
  ],
  [
    'has what objects inherit',
    ({ source }) => ({ has: (name) => source.has(name) || name in {} }),
    'knows no names that were never registered',
  ],
  [
    'claims instances that it does not have',
    (container) => described(container, () => ({ instantiated: true })),
    'has an instance of exactly the beans that are described as instantiated',
  ],
  [
    'forgets instances when asked for all',
    () => ({ peekAll: () => new Map() }),
    'has an instance of exactly the beans that are described as instantiated',
  ],
  [
    'takes null for no instance',
    ({ source }) => ({ peek: (name) => (source.peek(name)?.value == null ? undefined : source.peek(name)) }),
    'gives values as they are, also null, undefined and beans with then',
  ],
  [
    'creates a singleton each time',
    ({ make, source }) => ({
      get: async (name, context) => (name === 'lazy' ? { value: make() } : source.get(name, context)),
    }),
    'creates a lazy singleton once, when it is asked for',
  ],
  [
    'keeps beans of request scope',
    ({ source }) => {
      const kept = source.get('request', {});
      return { get: (name, context) => (name === 'request' ? kept : source.get(name, context)) };
    },
    'creates a bean of request scope anew, and keeps none',
  ],
  [
    'hides errors',
    ({ source }) => ({ get: (name, context) => source.get(name, context).catch(() => ({ value: undefined })) }),
    'rejects when a bean cannot be created, and goes on',
  ],
  [
    'keeps its first list',
    ({ source }) => {
      const list = source.describe();
      return { describe: () => list };
    },
    'shows a bean that is registered later',
  ],
])('beanSourceCases find a source that %s', async (_defect, change, expected) => {
  expect(await failedCases(change)).toContain(expected);
});
