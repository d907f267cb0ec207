import { Masking, Secrets } from '@jig/inspect';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { createPatch, differencesOf } from './differences.ts';
import {
  type BeanLook,
  type Comparison,
  type ExistingBean,
  SnapshotError,
  Snapshots,
  snapshotLimits,
} from './snapshots.ts';

describe('a patch', () => {
  // The library that applies patches here leaves that key alone.
  const isApplied = (value: unknown) => !JSON.stringify(value).includes('__proto__');
  // As documents are read: JSON has no -0.
  const json = fc
    .jsonValue({ maxDepth: 5, depthSize: 'medium' })
    .filter(isApplied)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  it('turns any document into any other', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, async (before, now) => {
        const patch = await createPatch(before, now);
        const holder = { document: structuredClone(before) };
        const within = patch.map((operation) => ({ ...operation, path: `/document${operation.path}` }));
        expect(applyPatch(holder, structuredClone(within) as never).filter((error) => error !== null)).toEqual([]);
        expect(holder.document).toEqual(now);
      }),
    );
  });

  it('turns documents that are nearly the same into each other', async () => {
    const names = fc.string().filter(isApplied);
    const lists = fc.record({ list: fc.array(fc.integer({ max: 3 })), map: fc.dictionary(names, fc.boolean()) });
    await fc.assert(
      fc.asyncProperty(lists, lists, async (before, now) => {
        const document = structuredClone(before);
        applyPatch(document, structuredClone(await createPatch(before, now)) as never);
        expect(document).toEqual(now);
      }),
    );
  });

  it('is told by value, with keys escaped as in a JSON Pointer', async () => {
    const before = { 'a/b': { '~': 1 }, list: [1, 2, 3], kept: true };
    const patch = await createPatch(before, { 'a/b': { '~': 2 }, list: [1], new: null, kept: true });
    expect(await differencesOf(before, patch)).toEqual([
      { kind: 'changed', pointer: '/a~1b/~0', before: 1, now: 2 },
      { kind: 'removed', pointer: '/list/1', before: 2 },
      { kind: 'removed', pointer: '/list/2', before: 3 },
      { kind: 'added', pointer: '/new', now: null },
    ]);
  });
});

/** Beans that can be changed under the eyes of the snapshots. */
class Beans implements BeanLook {
  readonly all = new Map<string, ExistingBean>();
  readonly secrets = new Secrets();
  #masking = new Masking();

  set(name: string, value: unknown, type = 'Thing'): void {
    this.all.set(name, { name, type, value });
  }

  existingBeans() {
    return [...this.all.values()];
  }

  documentOptions() {
    const secrets = this.secrets.finder();
    if (this.#masking.secrets !== secrets) this.#masking = new Masking({ secrets });
    return { masking: this.#masking };
  }
}

function newBeans(values: Readonly<Record<string, unknown>>) {
  const beans = new Beans();
  for (const [name, value] of Object.entries(values)) beans.set(name, value);
  return { beans, snapshots: new Snapshots(beans) };
}

const pointers = ({ beans }: Comparison) =>
  beans.flatMap(({ name, differences }) => differences.map(({ kind, pointer }) => `${kind} ${name}${pointer}`));

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof SnapshotError ? error.reason : error),
  );

describe('a snapshot', () => {
  it('shows what was added, removed and changed since', async () => {
    const cart: { items: string[]; total: number; note?: string } = { items: ['apple'], total: 3, note: 'x' };
    const { beans, snapshots } = newBeans({ cart, same: { a: 1 } });
    const { id } = await snapshots.keep({ wait: 0 });
    cart.items.push('pear');
    cart.total = 5;
    delete cart.note;
    beans.set('late', { made: true });
    beans.all.delete('same');
    const comparison = await snapshots.compare({ from: id });
    expect(pointers(comparison)).toEqual([
      'added cart/items/1',
      'removed cart/note',
      'changed cart/total',
      'added late',
      'removed same',
    ]);
    expect(comparison.beans.map(({ presence }) => presence)).toEqual(['both', 'added', 'removed']);
    const document = { cart: { items: ['apple'], total: 3, note: 'x' }, same: { a: 1 } };
    applyPatch(document, structuredClone(comparison.patch) as never);
    expect(document).toEqual({ cart: { items: ['apple', 'pear'], total: 5 }, late: { made: true } });
  });

  it('is compared with a later one, and with one bean of it', async () => {
    const a = { n: 1 };
    const b = { n: 1 };
    const { snapshots } = newBeans({ a, b });
    await snapshots.keep({ name: 'before', wait: 0 });
    a.n = 2;
    b.n = 2;
    await snapshots.keep({ name: 'after', wait: 0 });
    a.n = 3;
    expect((await snapshots.compare({ from: 'before', to: 'after' })).patch).toEqual([
      { op: 'replace', path: '/a/n', value: 2 },
      { op: 'replace', path: '/b/n', value: 2 },
    ]);
    expect((await snapshots.compare({ from: 'before', bean: 'a' })).patch).toEqual([
      { op: 'replace', path: '/n', value: 3 },
    ]);
    expect((await snapshots.compare({ from: 'after', bean: 'b' })).beans).toEqual([]);
  });

  it('holds one bean if it was taken of one', async () => {
    const { snapshots } = newBeans({ a: { n: 1 }, b: {} });
    expect(await snapshots.keep({ bean: 'a', wait: 0 })).toMatchObject({ bean: 'a', beans: 1 });
    expect((await snapshots.compare({ from: '1' })).compared).toBe(1);
    expect(await reasonOf(snapshots.compare({ from: '1', bean: 'b' }))).toBe('missing');
    expect(await reasonOf(snapshots.keep({ bean: 'nobody', wait: 0 }))).toBe('missing');
  });

  it('knows what always moves, by a second look', async () => {
    let looks = 0;
    const bean = {
      steady: 1,
      get moving() {
        return ++looks;
      },
    };
    const { snapshots } = newBeans({ bean });
    await snapshots.keep({ wait: 1 });
    bean.steady = 2;
    const [found] = (await snapshots.compare({ from: '1' })).beans;
    expect(found?.differences.map(({ pointer, alwaysMoves }) => [pointer, alwaysMoves])).toEqual([
      ['/moving', true],
      ['/steady', false],
    ]);
  });

  it('says when a bean has become one of another class', async () => {
    const { beans, snapshots } = newBeans({ bean: { a: 1 } });
    await snapshots.keep({ wait: 0 });
    beans.set('bean', { a: 1 }, 'Fake');
    expect((await snapshots.compare({ from: '1' })).beans).toMatchObject([
      { type: 'Fake', typeBefore: 'Thing', patch: [] },
    ]);
  });

  it('shows on neither side a text that a key has made a secret on the other', async () => {
    const bean: Record<string, unknown> = { auto: 'redis-pw-1234', count: 1 };
    const { snapshots } = newBeans({ bean });
    const { id } = await snapshots.keep({ wait: 0 });
    bean.password = 'redis-pw-1234';
    bean.count = 2;
    const later = await snapshots.compare({ from: id });
    expect(JSON.stringify(later)).not.toContain('redis-pw');
    expect(pointers(later)).toEqual(['changed bean/count', 'added bean/password']);
    const withPassword = await snapshots.keep({ wait: 0 });
    delete bean.password;
    const back = await snapshots.compare({ from: withPassword.id });
    expect(JSON.stringify(back)).not.toContain('redis-pw');
    expect(pointers(back)).toEqual(['removed bean/password']);
  });

  it('holds masked values only, also those of secrets that become known later', async () => {
    const bean = { password: 'one', note: 'a late-secret-1 here', other: 1 };
    const { beans, snapshots } = newBeans({ bean });
    await snapshots.keep({ wait: 0 });
    bean.password = 'two';
    expect((await snapshots.compare({ from: '1' })).beans).toEqual([]);
    beans.secrets.add('late-secret-1');
    bean.note = 'gone';
    const comparison = await snapshots.compare({ from: '1' });
    expect(comparison.beans[0]?.differences).toMatchObject([
      { pointer: '/note', before: 'a ****** here', now: 'gone' },
    ]);
    expect(JSON.stringify(comparison)).not.toContain('late-secret');
  });

  it('is one of ten at most, the oldest goes, and names find the newest', async () => {
    const { snapshots } = newBeans({ a: {} });
    for (let round = 0; round < 12; round++) await snapshots.keep({ name: 'same', wait: 0 });
    expect(snapshots.list.map(({ id }) => id)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
    expect((await snapshots.compare({ from: 'same' })).from.id).toBe('12');
    expect(await reasonOf(snapshots.compare({ from: '2' }))).toBe('missing');
  });

  it('leaves out what is too large, and all of them stay below 4 MB', async () => {
    const text = (megabytes: number) => Array.from({ length: 1024 }, () => 'x'.repeat(megabytes * 1021));
    const { beans, snapshots } = newBeans({ huge: text(1.1), a: text(0.9), b: text(0.95), small: {} });
    const first = await snapshots.keep({ wait: 0 });
    expect(first).toMatchObject({ leftOut: ['huge'], beans: 3 });
    for (const name of ['c', 'd', 'e']) beans.set(name, text(0.9));
    const second = await snapshots.keep({ wait: 0 });
    expect(second.leftOut).toEqual(['huge', 'b']);
    expect(snapshots.list.map(({ id }) => id)).toEqual(['2']);
    expect(second.bytes).toBeLessThan(snapshotLimits.bytes);
    expect((await snapshots.compare({ from: '2' })).beans).toEqual([]);
    beans.set('giant', text(4.1));
    expect(await reasonOf(snapshots.keep({ bean: 'giant', wait: 0 }))).toBe('too-large');
    expect(await snapshots.keep({ bean: 'huge', wait: 0 })).toMatchObject({ beans: 1 });
  });
});
