import { Masking, Secrets } from '@jig/inspect';
import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { NamedBean } from '../beans/beans.ts';
import { isBeanProblem } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import { type Comparison, comparisonPatch, Snapshots, snapshotLimits } from './snapshots.ts';
import { kindOf } from './table.ts';

/** Beans that can be changed under the eyes of the snapshots. */
class Beans {
  readonly all = new Map<string, NamedBean>();
  readonly secrets = new Secrets();
  #masking = new Masking();

  set(name: string, value: unknown, type = 'Thing'): void {
    this.all.set(name, { name, type, value });
  }

  readonly beans = { existing: () => [...this.all.values()] };

  readonly look = {
    options: () => {
      const secrets = this.secrets.finder();
      if (this.#masking.secrets !== secrets) this.#masking = new Masking({ secrets });
      return { masking: this.#masking };
    },
  };
}

function newBeans(values: Readonly<Record<string, unknown>>) {
  const beans = new Beans();
  for (const [name, value] of Object.entries(values)) beans.set(name, value);
  return { beans, snapshots: new Snapshots(beans as unknown as Mount) };
}

const pointers = ({ beans }: Comparison) =>
  beans.flatMap(({ name, rows }) => rows.map((row) => `${kindOf(row)} ${name}${row.pointer}`));

const patchOf = (comparison: Comparison): unknown => JSON.parse(JSON.stringify(comparisonPatch(comparison)));

/** The status of the problem that something ends with, or the name of the error. */
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (isBeanProblem(error) ? error.status : (error as Error).name),
  );

describe('a snapshot', () => {
  it('compares a bean called process of the application', async () => {
    const own = { n: 1 };
    const { snapshots } = newBeans({ process: own });
    const { id } = await snapshots.keep({ wait: 0 });
    own.n = 2;
    expect(pointers(await snapshots.compare({ from: id }))).toEqual(['changed process/n']);
  });

  it('lists what was added, removed and changed since', async () => {
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
      'changed cart/total',
      'removed cart/note',
      'added late',
      'removed same',
    ]);
    expect(comparison.beans.map(({ presence }) => presence)).toEqual(['both', 'added', 'removed']);
    const document = { cart: { items: ['apple'], total: 3, note: 'x' }, same: { a: 1 } };
    applyPatch(document, patchOf(comparison) as never);
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
    expect(patchOf(await snapshots.compare({ from: 'before', to: 'after' }))).toEqual([
      { op: 'replace', path: '/a/n', value: 2 },
      { op: 'replace', path: '/b/n', value: 2 },
    ]);
    expect(patchOf(await snapshots.compare({ from: 'before', bean: 'a' }))).toEqual([
      { op: 'replace', path: '/n', value: 3 },
    ]);
    expect((await snapshots.compare({ from: 'after', bean: 'b' })).beans).toEqual([]);
  });

  it('contains one bean if it was taken of one', async () => {
    const { snapshots } = newBeans({ a: { n: 1 }, b: {} });
    expect(await snapshots.keep({ bean: 'a', wait: 0 })).toMatchObject({ bean: 'a', beans: 1 });
    expect((await snapshots.compare({ from: '1' })).compared).toBe(1);
    expect(await faultOf(snapshots.compare({ from: '1', bean: 'b' }))).toBe(404);
    expect(await faultOf(snapshots.keep({ bean: 'nobody', wait: 0 }))).toBe(404);
  });

  it('detects values that always change by a second read', async () => {
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
    expect(found?.rows.map(({ pointer, alwaysMoves }) => [pointer, alwaysMoves])).toEqual([
      ['/steady', false],
      ['/moving', true],
    ]);
  });

  it('reports a bean whose class has changed', async () => {
    const { beans, snapshots } = newBeans({ bean: { a: 1 } });
    await snapshots.keep({ wait: 0 });
    beans.set('bean', { a: 1 }, 'Fake');
    expect((await snapshots.compare({ from: '1' })).beans).toMatchObject([
      { type: 'Fake', typeBefore: 'Thing', rows: [] },
    ]);
  });

  it('masks on both sides a text that is behind a secret key on one', async () => {
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

  it('contains masked values only, also of secrets that become known later', async () => {
    const bean = { password: 'one', note: 'a late-secret-1 here', other: 1 };
    const { beans, snapshots } = newBeans({ bean });
    await snapshots.keep({ wait: 0 });
    bean.password = 'two';
    expect((await snapshots.compare({ from: '1' })).beans).toEqual([]);
    beans.secrets.add('late-secret-1');
    bean.note = 'gone';
    const comparison = await snapshots.compare({ from: '1' });
    expect(comparison.beans[0]?.rows).toEqual([
      { pointer: '/note', values: ['a ****** here', 'gone'], alwaysMoves: false },
    ]);
    expect(JSON.stringify(comparison)).not.toContain('late-secret');
  });

  it('lists the first thousand differences of a long list', async () => {
    const numbers = Array.from({ length: 20_000 }, () => 0);
    const { snapshots } = newBeans({ numbers: { numbers, total: 0 } });
    await snapshots.keep({ bean: 'numbers', wait: 0 });
    numbers.fill(1);
    const [found] = (await snapshots.compare({ from: '1' })).beans;
    expect(found?.rows).toHaveLength(1000);
    expect(found?.whole).toMatchObject({ total: 0 });
  });

  it('is neither kept nor compared for a client that has disconnected', async () => {
    const { snapshots } = newBeans({ a: {} });
    await snapshots.keep({ wait: 0 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = faultOf(snapshots.keep({ wait: 5000, signal }));
    const second = faultOf(snapshots.keep({ wait: 5000, signal }));
    const third = snapshots.keep({ wait: 0 });
    setTimeout(() => leaving.abort(), 20);
    expect([await first, await second]).toEqual(['AbortError', 'AbortError']);
    expect((await third).id).toBe('2');
    expect(await faultOf(snapshots.compare({ from: '1', signal }))).toBe('AbortError');
    expect(snapshots.list).toHaveLength(2);
  });

  it('is one of ten at most, the oldest is dropped, and a name finds the newest', async () => {
    const { snapshots } = newBeans({ a: {} });
    for (let round = 0; round < 12; round++) await snapshots.keep({ name: 'same', wait: 0 });
    expect(snapshots.list.map(({ id }) => id)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
    expect((await snapshots.compare({ from: 'same' })).from.id).toBe('12');
    expect(await faultOf(snapshots.compare({ from: '2' }))).toBe(404);
  });

  it('leaves out large beans, and all snapshots together stay below 4 MB', async () => {
    const text = (megabytes: number) => Array.from({ length: 1024 }, () => 'x'.repeat(megabytes * 1021));
    const { beans, snapshots } = newBeans({ huge: text(1.1), a: text(0.9), b: text(0.95), small: {} });
    const first = await snapshots.keep({ wait: 0 });
    expect(first).toMatchObject({ leftOut: ['huge'], beans: 3 });
    for (const name of ['c', 'd', 'e']) beans.set(name, text(0.9));
    const second = await snapshots.keep({ wait: 0 });
    expect(second.leftOut).toEqual(['huge', 'e']);
    expect(snapshots.list.map(({ id }) => id)).toEqual(['2']);
    expect(second.bytes).toBeLessThan(snapshotLimits.bytes);
    expect((await snapshots.compare({ from: '2' })).beans).toEqual([]);
    beans.set('giant', text(4.1));
    expect(await faultOf(snapshots.keep({ bean: 'giant', wait: 0 }))).toBe(413);
    expect(await snapshots.keep({ bean: 'huge', wait: 0 })).toMatchObject({ beans: 1 });
  });
});
