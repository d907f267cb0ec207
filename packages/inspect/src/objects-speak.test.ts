import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { find } from './find.ts';
import { readPrivateFields as privateFields } from './inner-session.ts';
import { inspect } from './inspect.ts';
import type { InspectionOptions } from './inspection-options.ts';
import { Masking } from './masking/masking.ts';
import { outline } from './outline.ts';
import { quantityAt } from './views/quantity.ts';
import { stateLine } from './views/state-line.ts';

const shown = (bean: unknown, options: InspectionOptions = {}): unknown =>
  JSON.parse(inspect(bean, { privateFields, ...options }).toString());
const lineOf = (bean: unknown) => stateLine(bean, { privateFields });

class Registry extends Map<string, unknown> {
  readonly label = 'of tasks';
  #hits = 3;
  hit = () => this.#hits++;
}
class Bag extends Set<number> {
  #password = 'correct-horse-battery';
  matches = (text: string) => text === this.#password;
}
class Rows extends Array<object> {
  total = 90;
}
class Cache extends Map<string, unknown> {
  readonly #entries = new Map([['a', 1]]);
  override get(key: string) {
    return this.#entries.get(key);
  }
}
describe('a collection that keeps something besides its entries', () => {
  it('shows both', () => {
    expect(shown(new Registry([['a', 1]]))).toEqual({ label: 'of tasks', '#hits': 3, size: 1, entries: { a: 1 } });
    expect(shown(new Bag())).toEqual({ '#password': '******', size: 0, entries: [] });
    expect(shown(Rows.from([{ id: 1 }]))).toEqual({ total: 90, items: [{ id: 1 }] });
    expect(shown(Object.assign(new Rows(), { total: 9 }))).toEqual({ total: 9, items: [] });
    expect(inspect(Object.assign(new Rows(), { total: 9 }), { format: 'xml' }).toString()).toBe(
      '<Rows><total>9</total><items/></Rows>',
    );
  });

  it('is a list or a map when it has only private fields besides, or these are not read', () => {
    class Plain extends Map<string, number> {}
    expect(shown(new Plain([['a', 1]]))).toEqual({ a: 1 });
    expect(shown(new Bag([1]))).toEqual([1]);
    expect(inspect(new Bag()).toString()).toBe('[]');
    expect(shown('abc'.match(/b/))).toEqual(['b']);
  });

  it('can be entered by pointers, in outlines and in searches', async () => {
    const bean = { tasks: new Registry([['first', { id: 7 }]]) };
    expect(shown(bean, { at: '/tasks/entries/first' })).toEqual({ id: 7 });
    const [row] = outline(bean, { levels: 2, privateFields }).entries[0]?.entries?.entries.slice(-1) ?? [];
    expect(row).toMatchObject({ key: 'entries', kind: 'map', type: 'Map', size: 1, preview: '{ first → Object }' });
    expect(outline(bean, { at: row?.pointer, privateFields }).entries[0]?.pointer).toBe('/tasks/entries/first');
    const { hits } = await find(bean, 'id', { privateFields });
    expect(hits.map(({ pointer }) => pointer)).toEqual(['/tasks/entries/first/id']);
    const options = { masking: new Masking(), getters: 'run' } as const;
    expect(quantityAt(bean, '/tasks/entries', options)).toEqual({ value: 1 });
  });

  it('is as secret as the key that it stands behind', () => {
    const tokens = Object.assign(new Rows(), { total: 1 });
    tokens.push('planted1' as unknown as object);
    expect(shown({ tokens })).toEqual({ tokens: { total: 1, items: ['******'] } });
    expect(JSON.stringify(shown([new Bag(), 'correct-horse-battery']))).not.toContain('horse');
  });

  it('is described by its properties when it has no entries', () => {
    expect(lineOf(new Cache())).toBe('#entries: 1 entry');
    expect(stateLine(new Cache())).toBe('');
    expect(lineOf(new Registry([['a', 1]]))).toBe('1 entry');
  });
});

describe('a registry of functions', () => {
  const helpers = { each() {}, if: () => true, with: () => true, log: () => true };

  it('names its functions', () => {
    expect(shown({ helpers })).toEqual({
      helpers: { each: '[Function each]', if: '[Function if]', with: '[Function with]', log: '[Function log]' },
    });
    expect(lineOf(helpers)).toBe('4 functions: each, if, with, …');
    expect(lineOf(new Map(Object.entries(helpers)))).toBe('4 functions: each, if, with, …');
    expect(lineOf({ helpers, partials: {} })).toBe('helpers: 4 functions');
    expect(outline({ helpers }).entries[0]).toMatchObject({ size: 4, canOpen: true });
  });

  it('has no other properties: otherwise functions are methods', () => {
    expect(shown({ ...helpers, count: 1 })).toEqual({ count: 1 });
  });
});

describe('a built-in that a view knows', () => {
  it('is shown by its readings instead of a marker', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const told = shown({ server, timer: setTimeout(() => undefined, 5000).unref() });
    server.close();
    expect(told).toMatchObject({
      server: { state: expect.stringMatching(/^127\.0\.0\.1:\d+$/), connections: 0 },
      timer: { state: 'waiting', after: 5000, keepsProcess: false },
    });
    expect(JSON.parse(inspect({ server }, { raw: true }).toString())).toEqual({ server: '[Server]' });
  });

  it('is not changed by its readings: a socket does not cache its address', async () => {
    const server = createServer((_request, response) => void response.end('x'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const before = Reflect.ownKeys(socket);
    const told = shown({ socket });
    expect(Reflect.ownKeys(socket)).toEqual(before);
    expect(told).toMatchObject({
      socket: {
        state: 'open',
        remote: `127.0.0.1:${socket.remotePort}`,
        local: `127.0.0.1:${socket.localPort}`,
      },
    });
    socket.destroy();
    await once(socket, 'close');
    expect(shown({ socket })).toMatchObject({ socket: { state: 'closed' } });
    server.close();
  });
});
