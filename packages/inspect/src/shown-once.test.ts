import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { find } from './find.ts';
import { outline } from './outline.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('an object with more than 100 values below it', () => {
  it('is written once, and then as a reference to its first place', () => {
    const large = numbers(101);
    const small = numbers(100);
    expect(shown({ large, small, again: [{ large, small }] })).toEqual({
      large,
      small,
      again: [{ large: '[Reference /large]', small }],
    });
    const xml = written({ 'a/b': large, again: large }, { format: 'xml' });
    expect(xml).toContain('<again>[Reference /a~1b]</again>');
  });

  it('counts values at any depth, whatever they are and also from toJSON', () => {
    const inner = { list: numbers(50), map: new Map([['k', { password: 'hunter2', n: null }]]) };
    const outer = { inner, set: new Set(numbers(50)) };
    const maker = { toJSON: () => outer };
    expect(shown({ maker, maker2: maker, outer, inner })).toMatchObject({
      maker: { inner: { list: inner.list }, set: numbers(50) },
      maker2: '[Reference /maker]',
      outer: '[Reference /maker]',
      inner: { list: inner.list },
    });
  });

  it('counts values that the limit left out, so that a long list is shown once in a short document too', () => {
    const long = numbers(1000);
    expect(shown([long, long], { limit: 2 })).toEqual([[0, 1, '[998 more]'], '[Reference /0]']);
    const { entries } = outline({ long, again: long }, { levels: 2, limit: 2, pages: { '/long': 990 } });
    expect(entries.map(({ kind, target }) => [kind, target])).toEqual([
      ['array', undefined],
      ['reference', '/long'],
    ]);
  });

  it('is written where the depth cuts it, and referred to afterwards', () => {
    const large = { rows: numbers(101), deep: { deeper: { deepest: 1 } } };
    const bean = { a: { b: { large } }, large };
    expect(shown(bean, { depth: 4 })).toEqual({
      a: { b: { large: { rows: '[Depth limit]', deep: '[Depth limit]' } } },
      large: { rows: large.rows, deep: { deeper: { deepest: 1 } } },
    });
    expect(shown(bean, { depth: 5 })).toEqual({
      a: { b: { large: { rows: large.rows, deep: { deeper: '[Depth limit]' } } } },
      large: '[Reference /a/b/large]',
    });
    for (const at of ['/a/b/large', '/large']) {
      expect(shown(bean, { at, depth: 5 })).toEqual(large);
    }
  });

  it('is a reference in an outline, and searched once', async () => {
    const large = { rows: numbers(101), name: 'needle' };
    const bean = { large, again: { large } };
    const [, again] = outline(bean, { levels: 3, limit: 200 }).entries;
    expect(again?.entries?.entries).toMatchObject([
      { kind: 'reference', type: 'Object', preview: '[Reference /large]', target: '/large', canOpen: false },
    ]);
    expect((await find(bean, 'needle')).hits.map(({ pointer }) => pointer)).toEqual(['/large/name']);
    const small = { name: 'needle' };
    expect((await find({ small, again: small }, 'needle')).hits).toHaveLength(2);
  });

  it('has a document, an outline and a search in proportion to its content', async () => {
    const services = numbers(40).map((id) => ({ id, settings: numbers(20), all: [] as unknown[] }));
    for (const { all } of services) all.push(...services);
    expect(written(services).length).toBeLessThan(1_000_000);
    const { hits, isComplete } = await find(services, 'settings', { limit: 100_000, budget: 60_000 });
    expect([isComplete, hits.length < 40 * 40]).toEqual([true, true]);
  });
});

describe('a getter that creates a new object of its own class at each call', () => {
  class Operator {
    static calls = 0;
    readonly flags: object;
    constructor(flags: object = {}) {
      this.flags = flags;
    }
    get volatile(): Operator {
      Operator.calls++;
      return new Operator({ ...this.flags, volatile: true });
    }
    get local(): Operator {
      return new Operator({ ...this.flags, local: true });
    }
  }

  it('is a marker with its type in every form, which at enters', async () => {
    const bean = { operator: new Operator() };
    const operator = { flags: {}, volatile: '[New Operator]', local: '[New Operator]' };
    expect(shown(bean)).toEqual({ operator });
    expect(written(bean, { format: 'xml' })).toContain('<volatile>[New Operator]</volatile>');
    const at = '/operator/volatile/local';
    expect(shown(bean, { at })).toMatchObject({ flags: { volatile: true, local: true } });
    expect(outline(bean, { at }).type).toBe('Operator');
    const row = { kind: 'limit', type: 'Operator', preview: '[New Operator]', canOpen: true };
    expect(outline(bean, { levels: 2 }).entries[0]?.entries?.entries[1]).toMatchObject(row);
    expect((await find(bean, 'operator')).hits.filter(({ in: where }) => where === 'type')).toHaveLength(3);
  });

  it('is called a second time only to detect this', () => {
    Operator.calls = 0;
    shown(new Operator());
    expect(Operator.calls).toBe(2);
    class Maker {
      made = 0;
      readonly #self = this;
      get promise(): Promise<number> {
        this.made++;
        return Promise.resolve(1);
      }
      get self(): this {
        this.made++;
        return this.#self;
      }
      get other(): Operator {
        this.made++;
        return new Operator();
      }
    }
    const maker = new Maker();
    shown(maker);
    expect(maker.made).toBe(3);
  });

  it('is entered when it returns the same object, or no instance of a class', () => {
    class Node {
      readonly #parent: Node | undefined;
      constructor(parent?: Node) {
        this.#parent = parent;
      }
      get parent(): Node | undefined {
        return this.#parent;
      }
    }
    expect(shown(new Node(new Node()))).toEqual({ parent: { parent: null } });
    const plain = {
      get made() {
        return { a: 1 };
      },
    };
    expect(shown(plain)).toEqual({ made: { a: 1 } });
  });

  it('is masked behind a secret key, and a marker when the second call throws', () => {
    class Once {
      #calls = 0;
      get token(): Once {
        return new Once();
      }
      get next(): Once {
        if (this.#calls++ > 0) throw new Error('once');
        return new Once();
      }
    }
    expect(shown(new Once())).toEqual({ token: '******', next: '[New Once]' });
    expect(outline(new Once()).entries.map(({ kind }) => kind)).toEqual(['masked', 'limit']);
  });
});
