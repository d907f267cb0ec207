import { type Outline, type OutlineOptions, outline } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { type LookedRows, liveRows } from './live-rows.ts';
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
    const markup = write(loop);
    expect(markup).toContain('<span class="s" dir="auto">"[Threw no]&#34;</span>');
    expect(markup).toContain('<span class="tag">masked</span>');
    expect(markup).toContain('<span class="s">1970-01-01T00:00:00.000Z</span>');
    expect(markup).toContain('<span class="tag bad">threw</span><span class="err">TypeError: &#60;broken&#62;</span>');
    expect(markup).toContain('<span class="tag">ancestor</span><a href="/jig/bean/shop.html">/</a>');
    expect(markup).toContain('<bdi dir="ltr">array</bdi>, 1 item</td>');
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

describe('the changes of rows', () => {
  /** What a page is sent for each look. */
  const follow = (outlines: readonly Outline[]) => {
    const left = [...outlines];
    const view = liveRows('shop', context, () => left.shift() as Outline);
    let sent: LookedRows | undefined;
    return outlines.map(() => {
      const next = view.look() as LookedRows;
      const event = view.event(next, sent);
      sent = next;
      return event && (JSON.parse(event.data) as { ids?: string[]; rows: string });
    });
  };
  const changes = (after: unknown, ...before: readonly unknown[]) =>
    follow([...before, after].map((value) => outline(value))).at(-1);

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

  it('are none when a busy machine leaves no time to see all rows, unless that lasts', () => {
    const value = { a: { b: 1, c: 2 }, d: 3 };
    const whole = outline(value, { levels: 2 });
    const short = outline(value, { levels: 2, budget: 0 });
    const counts = (...outlines: readonly Outline[]) => follow(outlines).map((event) => event?.ids?.length);
    expect(counts(whole, short, short, whole)).toEqual([4, undefined, undefined, undefined]);
    const many = [short, short, short, short, short, short, short, whole, short];
    const passed = [undefined, undefined, undefined, undefined, undefined];
    expect(counts(whole, ...many)).toEqual([4, ...passed, 1, undefined, 4, undefined]);
    expect(counts(short, whole)).toEqual([1, 4]);
  });

  it('are those of a long container as ever, which shows a page of its entries', () => {
    const page = (first: number) => outline(Array.from({ length: 250 }, (_, index) => index + first));
    expect(follow([page(0), page(1)]).map((event) => event?.rows.match(/<tr/g)?.length)).toEqual([101, 100]);
  });
});
