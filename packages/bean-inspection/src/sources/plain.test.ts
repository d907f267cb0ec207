import { describe, expect, it } from 'vitest';
import { beanSourceCases } from '../../../../test/frameworks/bean-source-cases.ts';
import type { BeanSource } from './bean-source.ts';
import { toBeanSource } from './plain.ts';

const namesOf = (source: BeanSource) => source.describe().map(({ name }) => name);

class Pricing {
  readonly rate = 3;
}

describe('toBeanSource of an object', () => {
  it('describes its own properties and runs no getter', async () => {
    let runs = 0;
    const pricing = new Pricing();
    const source = toBeanSource({
      pricing,
      get lazy() {
        runs++;
        return { made: runs };
      },
    });
    expect(source.describe()).toEqual([
      {
        name: 'pricing',
        type: 'Pricing',
        scope: 'singleton',
        owner: 'application',
        dependencies: 'unknown',
        instantiated: true,
      },
      {
        name: 'lazy',
        type: 'unknown',
        scope: 'unknown',
        owner: 'application',
        dependencies: 'unknown',
        instantiated: 'unknown',
      },
    ]);
    expect(source.peek('pricing')?.value).toBe(pricing);
    expect(source.peek('lazy')).toBeUndefined();
    expect(runs).toBe(0);
    expect(await source.get('lazy', undefined)).toEqual({ value: { made: 1 } });
  });

  it('names symbols by their description, and distinguishes them from strings', () => {
    const components = { db: 1, [Symbol('db')]: 2, [Symbol('a/b')]: 3, [Symbol('')]: 4 };
    const source = toBeanSource(components);
    expect(namesOf(source)).toEqual(['db', 'db#2', 'a/b', '(symbol)']);
    expect(source.peek('db')).toEqual({ value: 1 });
    expect(source.peek('db#2')).toEqual({ value: 2 });
    expect(source.peek('(symbol)')).toEqual({ value: 4 });
  });

  it('lists properties that are not enumerable', () => {
    const components = Object.defineProperty({}, 'hidden', { get: () => 1 });
    expect(namesOf(toBeanSource(components))).toEqual(['hidden']);
  });

  it('reads the type of a component without running traps or getters', () => {
    const fail = () => {
      throw new Error('a trap was run');
    };
    const proxy = new Proxy({}, { get: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail });
    const own = Object.defineProperty({}, 'constructor', { get: fail });
    const source = toBeanSource({ proxy, child: Object.create(proxy), own, bare: Object.create(null), text: 'a' });
    expect(source.describe().map(({ type }) => type)).toEqual(['Proxy', 'Proxy', 'Object', 'Object', 'string']);
  });
});

describe('toBeanSource of a Map', () => {
  it('uses its entries as beans, also those added later', () => {
    const components = new Map<string, unknown>([['a/b', new Pricing()]]);
    const source = toBeanSource(components);
    components.set('__proto__', undefined);
    expect(source.describe().map(({ name, type }) => [name, type])).toEqual([
      ['a/b', 'Pricing'],
      ['__proto__', 'undefined'],
    ]);
    expect(source.peek('__proto__')).toEqual({ value: undefined });
    expect(source.has('constructor')).toBe(false);
  });

  it('does not run methods of a subclass', async () => {
    class Cache extends Map<string, unknown> {
      override get(): never {
        throw new Error('get was run');
      }
    }
    const source = toBeanSource(new Cache([['a', 1]]));
    expect(source.peek('a')).toEqual({ value: 1 });
    expect(await source.get('a', undefined)).toEqual({ value: 1 });
  });
});

describe('toBeanSource of a function', () => {
  it('calls it for each request', () => {
    let components: Record<string, unknown> | Map<string, unknown> = { first: 1 };
    const source = toBeanSource(() => components);
    expect(namesOf(source)).toEqual(['first']);
    components = new Map([['second', 2]]);
    expect(namesOf(source)).toEqual(['second']);
    expect(source.peek('second')).toEqual({ value: 2 });
    expect(source.has('first')).toBe(false);
  });
});

describe('toBeanSource', () => {
  it('returns a source as it is', () => {
    class Source implements BeanSource {
      describe = () => [];
      has = () => false;
      peek() {
        return undefined;
      }
      get = async () => ({ value: 1 });
    }
    const source = new Source();
    expect(toBeanSource(source)).toBe(source);
  });

  it.each([undefined, null, 'beans', 3, [1], Promise.resolve({})])('rejects %s with the accepted kinds', (source) => {
    expect(() => toBeanSource(source as never)).toThrow(/^Beans must be an object or a Map of components by name/);
  });

  it('rejects a proxy, also one that a function returns', () => {
    const proxy = new Proxy({}, {});
    expect(() => toBeanSource(proxy)).toThrow(/^The beans of a proxy cannot be listed/);
    expect(() => toBeanSource(() => proxy).describe()).toThrow(/^The beans of a proxy cannot be listed/);
  });
});

describe.each([
  ['an object', (components: ReadonlyMap<string, unknown>) => Object.fromEntries(components)],
  ['a Map', (components: Map<string, unknown>) => components],
  ['a function', (components: Map<string, unknown>) => () => components],
])('the source of %s', (_kind, form) => {
  const values = new Map<string, unknown>([
    ['nothing', null],
    ['missing', undefined],
    ['pricing', new Pricing()],
    ['a/b', 0],
  ]);
  const suite = beanSourceCases({
    beans: { values, async: 'soon', descriptions: { pricing: { type: 'Pricing', dependencies: 'unknown' } } },
    create() {
      const components = new Map([...values, ['soon', Promise.resolve({ open: true })]]);
      const source = toBeanSource(form(components));
      return { source, newContext: () => undefined, created: () => 0 };
    },
  });
  it.each(suite)('$name', ({ run }) => run());
});

describe('the source of an object with getters', () => {
  let created = 0;
  const suite = beanSourceCases({
    beans: { lazy: 'lazy', broken: 'broken', later: 'later', values: new Map(), descriptions: {} },
    create() {
      const memoized: object[] = [];
      const components = {
        get lazy() {
          if (memoized.length === 0) created += memoized.push({ made: created });
          return memoized[0];
        },
        get broken() {
          throw new Error('out of order');
        },
      };
      const addLater = () => void Object.assign(components, { later: 1 });
      return { source: toBeanSource(components), newContext: () => undefined, created: () => created, addLater };
    },
  });
  it.each(suite)('$name', ({ run }) => run());
});
