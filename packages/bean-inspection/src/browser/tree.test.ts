import { type OutlineOptions, outline } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { type TreeView, viewAt } from './links.ts';
import { type LiveRows, rowChanges } from './live-rows.ts';
import { openByDefault, rowState, treeRow, treeRows } from './tree.ts';

const context = { prefix: '/jig', view: viewAt('shop', '') };
const rowsOf = (value: unknown, options?: OutlineOptions) => treeRows(outline(value, options), context.view);
const write = (value: unknown, options?: OutlineOptions) =>
  rowsOf(value, options)
    .map((row) => treeRow(row, context).toString())
    .join('');

describe('the rows of a tree', () => {
  it('name their level, position and number, and whether they are open', () => {
    const markup = write({ c: 2, a: { b: 1 } }, { open: ['/a'] });
    expect(
      [...markup.matchAll(/aria-level="(\d)" aria-posinset="(\d)" aria-setsize="(\d)"/g)].map(([, ...all]) => all),
    ).toEqual([
      ['1', '1', '2'],
      ['1', '2', '2'],
      ['2', '1', '1'],
    ]);
    expect(markup).toContain('aria-expanded="true"');
    expect(markup).toContain('href="/jig/bean/shop.html?close=/a#');
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

  it('lead into an object that a getter creates at each call', () => {
    class Operator {
      get local(): Operator {
        return new Operator();
      }
    }
    const link = '<a href="/jig/bean/shop.html?at=/local">Look from here</a>';
    expect(write(new Operator())).toContain(`<span class="tag warn">new Operator</span>${link}`);
  });

  it('have a button for a getter that is not run', () => {
    class Queue {
      get ready(): Promise<void> {
        return Promise.resolve();
      }
    }
    const tag = '<span class="tag warn">promise</span><a href="/jig/bean/shop.html?at=/ready">Run it</a>';
    expect(write(new Queue())).toContain(tag);
    expect(write(new Queue(), { getters: 'none' })).toContain('<span class="tag warn">getter</span></td>');
  });

  it('link to another bean by its name', () => {
    const other = { size: 1 };
    const markup = write({ other }, { names: new Map([[other, 'a <b>']]) });
    expect(markup).toContain(
      '<span class="tag">bean</span><a href="/jig/bean/a%20%3Cb%3E.html">a &#60;b&#62;</a> <span class="p">',
    );
    const states = (names: ReadonlyMap<object, string>) => rowsOf({ other }, { names }).map(rowState);
    expect(states(new Map([[other, 'a']]))).not.toEqual(states(new Map()));
  });

  it('link to other entries of a long container, also where none is left', () => {
    const many = Array.from({ length: 250 }, (_, index) => index);
    expect(write(many)).toContain('First 100 of 250');
    expect(write(many, { from: 100 })).toContain('101 to 200 of 250');
    expect(write(many, { from: 100 })).toMatch(
      /[^?]*">Previous 100<.*from=200:#\w+">Next 100<.*from=150:#\w+">Last 100</,
    );
    expect(write(many, { from: 900 })).toContain('None from 901 of 250');
    expect(write(new Set(many), { from: 200, budget: 0 })).toContain('Item 201 of 250 was not reached in time');
  });

  it('have different ids for keys of a map with the same text', () => {
    const ids = rowsOf(
      new Map<unknown, number>([
        ['1', 1],
        [1, 2],
      ]),
    ).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

/** Keys with their levels, in order. */
const keysOf = (value: unknown, view: Partial<TreeView> = {}, options?: OutlineOptions) =>
  treeRows(outline(value, options), { ...context.view, ...view }).map(
    (row) => `${row.level} ${'entry' in row ? row.entry.key : 'pages'}`,
  );

describe('the order of a tree', () => {
  const pool = {
    _events: { error: 1 },
    options: { host: 'db', _cache: null },
    seen: new WeakSet(),
    errorListeners: [() => {}],
    name: 'pool',
    last: null,
    listeners: 2,
    idle: 3,
  };

  it('is simple values, then containers, then internal entries', () => {
    const order = ['1 name', '1 listeners', '1 idle', '1 options', '1 seen', '1 last', '1 _events', '1 errorListeners'];
    expect(keysOf(pool)).toEqual(order);
    expect(keysOf({ _b: {}, _a: 1 })).toEqual(['1 _a', '1 _b']);
  });

  it('is unchanged in lists and long objects', () => {
    expect(keysOf([{ a: 1 }, null, 2])).toEqual(['1 0', '1 1', '1 2']);
    expect(
      keysOf(
        new Map<string, unknown>([
          ['_a', {}],
          ['b', null],
          ['c', 1],
        ]),
      ),
    ).toEqual(['1 _a', '1 b', '1 c']);
    const long = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`_${index}`, null]));
    expect(keysOf({ first: {}, ...long }).slice(0, 2)).toEqual(['1 first', '1 _0']);
  });
});

describe('what opens by itself', () => {
  const open = (value: unknown, view: Partial<TreeView> = {}, options: OutlineOptions = {}) =>
    keysOf(value, view, { ...options, unfold: openByDefault() });
  const keys = (count: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

  it('is as much as about 30 rows can show, level by level', () => {
    expect(open({ a: { b: { c: 1, d: 2 } }, e: { f: 3 } })).toEqual(['1 a', '2 b', '3 c', '3 d', '1 e', '2 f']);
    expect(open({ a: keys(15), b: keys(15), c: keys(12) })).toHaveLength(3 + 15 + 12);
    expect(open({ a: keys(21) })).toHaveLength(1);
    expect(open(Array.from({ length: 40 }, () => ({ a: 1, b: 2 })))).toHaveLength(40);
  });

  it('includes every container with one entry, except in long lists, down to nine levels', () => {
    expect(open(Array.from({ length: 40 }, () => ({ a: 1 })))).toHaveLength(40);
    expect(open({ ...keys(40), one: { a: { b: 1 } } }).slice(-3)).toEqual(['1 one', '2 a', '3 b']);
    let nest: unknown = 1;
    for (let level = 0; level < 20; level++) nest = { nest };
    expect(open(nest)).toHaveLength(10);
  });

  it('excludes other beans, internal entries and containing objects', () => {
    const other = { a: 1 };
    const names = new Map([[other, 'other']]);
    expect(open({ other, x: 1 }, {}, { names })).toEqual(['1 x', '1 other']);
    expect(open({ _a: { b: 1 }, x: 1 })).toEqual(['1 x', '1 _a']);
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.child = { parent: loop };
    const [, , parent] = treeRows(outline(loop, { unfold: openByDefault() }), context.view);
    expect(parent).toMatchObject({ level: 2, entry: { kind: 'reference', target: '' } });
  });

  it('does not change when other containers are opened or closed', () => {
    const bean = { a: keys(10), b: keys(25), c: keys(10), d: keys(10) };
    const closed = open(bean);
    expect(closed).toHaveLength(4 + 10 + 10);
    expect(open(bean, { close: ['/a'] })).toHaveLength(4 + 10);
    expect(open(bean, { open: ['/b'] }, { open: ['/b'] })).toHaveLength(4 + 10 + 25 + 10);
  });
});

describe('a row of an object with private fields', () => {
  it('says that private fields are not shown', () => {
    class Counter {
      #count = 1;
      next() {
        return this.#count++;
      }
    }
    expect(write({ counter: new Counter() })).toContain('{}</span> <span class="soft">private fields cannot be seen<');
    expect(write({ empty: {} })).not.toContain('private');
    expect(write({ named: Object.assign(new Counter(), { name: 'one' }) })).toContain('>and private fields<');
  });
});

describe('the changes of rows', () => {
  const look = (value: unknown, options?: OutlineOptions): LiveRows => {
    const rows = rowsOf(value, options);
    const states = new Map(rows.map((row) => [row.id, rowState(row)]));
    return { rows, states, tiles: '', moment: new Date(), context };
  };
  const changes = (after: unknown, before?: unknown) => {
    const data = rowChanges(look(after), before === undefined ? undefined : look(before));
    return data === undefined ? undefined : (JSON.parse(data) as { ids?: string[]; rows: string });
  };

  it('are all rows at first, and none when nothing differs', () => {
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

  it('include the row of pages after a read that ran out of time', () => {
    const many = Array.from({ length: 250 }, (_, index) => index);
    const changed = rowChanges(look(many), look(many, { limit: 37 }));
    expect(changed).toContain('First 100 of 250');
  });
});
