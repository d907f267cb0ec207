import { type OutlineOptions, outline } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { type LookedRows, rowChanges } from './live-rows.ts';
import { rowSign, treeRow, treeRows } from './tree-rows.ts';
import { viewFrom } from './tree-view.ts';

const context = { prefix: '/jig', view: viewFrom('shop', '') };
const rowsOf = (value: unknown, options?: OutlineOptions) => treeRows(outline(value, options));
const write = (value: unknown, options?: OutlineOptions) =>
  rowsOf(value, options)
    .map((row) => treeRow(row, context).toString())
    .join('');

describe('the rows of a tree', () => {
  it('name their level, position and number, and whether they are open', () => {
    const markup = write({ a: { b: 1 }, c: 2 }, { open: ['/a'] });
    expect(
      [...markup.matchAll(/aria-level="(\d)" aria-posinset="(\d)" aria-setsize="(\d)"/g)].map(([, ...all]) => all),
    ).toEqual([
      ['1', '1', '2'],
      ['2', '1', '1'],
      ['1', '2', '2'],
    ]);
    expect(markup).toContain('aria-expanded="true"');
    expect(markup).toContain('href="/jig/bean/shop.html#');
  });

  it('show each kind of value as what it is, and markers as tags', () => {
    const loop: Record<string, unknown> = { text: '[Threw no]', password: 'x', when: new Date(0), list: [1] };
    Object.defineProperty(loop, 'broken', {
      enumerable: true,
      get() {
        throw new TypeError('<broken>');
      },
    });
    loop.self = loop;
    loop.many = Array.from({ length: 101 }, (_, index) => index);
    loop.again = loop.many;
    const markup = write(loop, { levels: 2 });
    expect(markup).toContain('<span class="s" dir="auto">"[Threw no]&#34;</span>');
    expect(markup).toContain('<span class="tag">masked</span>');
    expect(markup).toContain('<span class="s">1970-01-01T00:00:00.000Z</span>');
    expect(markup).toContain('<span class="tag bad">threw</span><span class="err">TypeError: &#60;broken&#62;</span>');
    expect(markup).toContain('<span class="tag">reference</span><a href="/jig/bean/shop.html">/</a>');
    expect(markup).toContain('<span class="tag">reference</span><a href="/jig/bean/shop.html?at=/many">/many</a>');
    expect(markup).toContain('<bdi dir="ltr">array</bdi>, 1 item</td>');
  });

  it('lead into what a getter makes anew whenever it is asked', () => {
    class Operator {
      get local(): Operator {
        return new Operator();
      }
    }
    const link = '<a href="/jig/bean/shop.html?at=/local">Look from here</a>';
    expect(write(new Operator())).toContain(`<span class="tag warn">new Operator</span>${link}`);
  });

  it('have a button for a getter that looking does not run again', () => {
    class Queue {
      get ready(): Promise<void> {
        return Promise.resolve();
      }
    }
    const tag = '<span class="tag warn">promise</span><a href="/jig/bean/shop.html?at=/ready">Run it</a>';
    expect(write(new Queue())).toContain(tag);
    expect(write(new Queue(), { getters: 'none' })).toContain('<span class="tag warn">getter</span></td>');
  });

  it('lead to another bean by its name', () => {
    const other = { size: 1 };
    const markup = write({ other }, { names: new Map([[other, 'a <b>']]) });
    expect(markup).toContain(
      '<span class="tag">bean</span><a href="/jig/bean/a%20%3Cb%3E.html">a &#60;b&#62;</a> <span class="p">',
    );
    const signs = (names: ReadonlyMap<object, string>) => rowsOf({ other }, { names }).map(rowSign);
    expect(signs(new Map([[other, 'a']]))).not.toEqual(signs(new Map()));
  });

  it('lead to other entries of a long container, also where none is left', () => {
    const many = Array.from({ length: 250 }, (_, index) => index);
    expect(write(many)).toContain('First 100 of 250');
    expect(write(many, { from: 100 })).toContain('101 to 200 of 250');
    expect(write(many, { from: 100 })).toMatch(
      /data-from="0">Previous 100<.*data-from="200">Next 100<.*data-from="150">Last 100</,
    );
    expect(write(many, { from: 900 })).toContain('None from 901 of 250');
    expect(write(new Set(many), { from: 200, budget: 0 })).toContain('Item 201 of 250 was not reached in time');
  });

  it('have ids of their own where keys of a map read the same', () => {
    const ids = rowsOf(
      new Map<unknown, number>([
        ['1', 1],
        [1, 2],
      ]),
    ).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a row of an object with nothing but private fields', () => {
  it('says that they cannot be seen', () => {
    class Counter {
      #count = 1;
      next() {
        return this.#count++;
      }
    }
    expect(write({ counter: new Counter() })).toContain('{}</span> <span class="soft">private fields cannot be seen<');
    expect(write({ empty: {} })).not.toContain('private');
  });
});

describe('a row for a limit', () => {
  it('names it', () => {
    let chain = {};
    for (let links = 0; links < 1000; links++) chain = Object.create(chain) as object;
    expect(write(chain)).toContain('<span class="tag warn">class limit</span>');
    expect(write([[1]], { depth: 1 })).toContain('<span class="tag warn">depth limit</span>');
  });
});

describe('the changes of rows', () => {
  const look = (value: unknown, options?: OutlineOptions): LookedRows => {
    const rows = rowsOf(value, options);
    return { rows, signs: new Map(rows.map((row) => [row.id, rowSign(row)])), moment: new Date() };
  };
  const changes = (after: unknown, before?: unknown) => {
    const event = rowChanges(context, look(after), before === undefined ? undefined : look(before));
    return event && (JSON.parse(event.data) as { ids?: string[]; rows: string });
  };

  it('are all rows at first, and nothing when nothing differs', () => {
    expect(changes({ a: 1, b: 2 })?.ids).toHaveLength(2);
    expect(changes({ a: 1, b: 2 }, { a: 1, b: 2 })).toBeUndefined();
  });

  it('are only the rows that differ, and the order only where it does', () => {
    const changed = changes({ a: 1, b: 3 }, { a: 1, b: 2 });
    expect(changed).not.toHaveProperty('ids');
    expect(changed?.rows.match(/<tr/g)).toHaveLength(1);
    const grown = changes({ a: 1, b: 2, c: 3 }, { a: 1, b: 2 });
    expect(grown?.ids).toHaveLength(3);
    const shrunk = changes({ b: 2 }, { a: 1, b: 2 });
    expect(shrunk?.ids).toHaveLength(1);
  });

  it('are also what a row of pages says, when a look before ran out of time', () => {
    const many = Array.from({ length: 250 }, (_, index) => index);
    const changed = rowChanges(context, look(many), look(many, { limit: 37 }));
    expect(changed?.data).toContain('First 100 of 250');
  });
});
