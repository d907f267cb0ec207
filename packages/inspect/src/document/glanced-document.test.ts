import { describe, expect, it } from 'vitest';
import { inspect } from '../inspect.ts';
import type { InspectionOptions } from '../inspection-options.ts';
import type { View } from '../views/view.ts';

class Pool {
  readonly busy = 3;
  readonly password = 'swordfish-77';
  readonly note = 'swordfish-77';
}

const view: View<Pool> = {
  name: 'test.Pool',
  matches: (value): value is Pool => value instanceof Pool,
  readings: {
    connections: { read: ({ busy }) => busy, of: () => 10 },
    note: { read: ({ note }) => note },
  },
};

const views = [view];
const text = (value: unknown, options: InspectionOptions = {}) => inspect(value, { views, ...options }).toString();
const glanceOf = (value: unknown, options: InspectionOptions = {}) =>
  JSON.parse(text(value, { ...options, glance: true })).glance;

describe('a document with a glance', () => {
  const glance = {
    line: '3 of 10 connections, note ******',
    view: 'test.Pool',
    readings: [
      { name: 'connections', isSetting: false, ask: false, of: 10, value: 3 },
      { name: 'note', isSetting: false, ask: false, value: '******' },
    ],
  };

  it('has what the view reads, then the same document as without glance', () => {
    const pool = new Pool();
    expect(text(pool, { glance: true })).toBe(`{"glance":${JSON.stringify(glance)},"bean":${text(pool)}}`);
  });

  it('is indented as a whole', () => {
    const value = { pool: new Pool(), list: [1, [], {}] };
    const pretty = text(value, { glance: true, pretty: true });
    expect(pretty).toBe(JSON.stringify(JSON.parse(pretty), null, 2));
    expect(JSON.parse(pretty).bean).toEqual(JSON.parse(text(value)));
  });

  it('is that of the part at `at`, without secrets of the whole bean', () => {
    expect(glanceOf({ pool: new Pool() }, { at: '/pool' })).toEqual(glance);
    const apart = { login: { secret: 'pw-of-the-pool' }, part: { note: 'pw-of-the-pool', size: 2 } };
    expect(glanceOf(apart, { at: '/part' }).line).toBe('note ******, size 2');
  });

  it('shows nothing of a closed or masked value', () => {
    const pool = new Pool();
    const nothing = { line: '', readings: [] };
    expect(glanceOf(pool, { closed: new Set([pool]) })).toEqual(nothing);
    expect(glanceOf({ token: { pool: 'x' } }, { at: '/token' })).toEqual(nothing);
    expect(glanceOf({ pool }, { at: '/pool', mask: ['pool'] })).toEqual(nothing);
  });

  it('has only a line where no view matches', () => {
    expect(glanceOf({ name: 'Ada' })).toEqual({ line: 'name Ada', readings: [] });
  });

  it('comes in chunks, and ends well-formed when the budget is spent', async () => {
    const big = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    const chunks: Buffer[] = [];
    for await (const chunk of inspect(big, { glance: true })) chunks.push(Buffer.from(chunk));
    const whole = Buffer.concat(chunks).toString();
    expect(chunks.length).toBeGreaterThan(3);
    expect(JSON.parse(whole)).toEqual({ glance: { line: '50000 entries', readings: [] }, bean: big });
    const cut = inspect(big, { glance: true, budget: 0 });
    expect(JSON.parse(cut.toString()).bean.length).toBeLessThan(big.length);
    expect(cut.truncated).toBe(true);
  });
});
