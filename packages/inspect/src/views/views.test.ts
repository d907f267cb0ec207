import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { viewCases } from '../../test-fixtures/view-cases.ts';
import { inspect } from '../inspect.ts';
import type { MaskableEntry } from '../masking/masking.ts';
import { builtInViews } from './built-in-views.ts';
import { glance, labelOf, viewOf } from './glance.ts';
import { stateLine } from './state-line.ts';
import type { View } from './view.ts';

const lineOf = (value: unknown) => glance(value)?.line;

async function listening() {
  const server = createServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

type Fixture = readonly [name: string, create: () => Promise<object> | object, release?: (value: never) => unknown];

async function online() {
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await once(worker, 'online');
  return worker;
}

const fixtures: readonly Fixture[] = [
  ['http.Server', listening, (server: Server) => server.close()],
  ['Worker', online, (worker: Worker) => worker.terminate()],
  ['ChildProcess', () => spawn('sleep', ['10']), (child: ChildProcess) => child.kill()],
  ['Stream', () => new PassThrough()],
  ['EventEmitter', () => new EventEmitter().on('order', () => undefined)],
  ['Timer', () => setTimeout(() => undefined, 10), clearTimeout],
  ['AsyncLocalStorage', () => new AsyncLocalStorage()],
  ['KeyObject', () => createSecretKey(Buffer.from('a secret key of some length'))],
  ['Headers', () => new Headers({ accept: 'text/html' })],
  ['FormData', () => new FormData()],
  ['URLSearchParams', () => new URLSearchParams('a=1')],
  ['Request', () => new Request('http://localhost/')],
  ['Response', () => new Response('body')],
  ['Blob', () => new Blob(['abc'])],
  ['AbortSignal', () => new AbortController().signal],
  ['Intl', () => new Intl.NumberFormat('de')],
];

for (const [name, create, release] of fixtures) {
  const view = builtInViews.find((each) => each.name === name) as View;
  const cases = viewCases({ view, create, release: async (value) => void (await release?.(value as never)) });
  describe(`the view of ${name}`, () => it.each(cases)('$name', ({ run }) => run()));
}

describe('a line', () => {
  it('describes a server', async () => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    await once(server, 'connection');
    expect(lineOf(server)).toBe(`127.0.0.1:${port}, 1 connection, 0 requests`);
    server.removeAllListeners('request');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(server, 'request');
    expect(lineOf(server)).toBe(`127.0.0.1:${port}, 1 connection, 1 request`);
    expect(lineOf(socket)).toMatch(/^open, remote 127\.0\.0\.1:\d+, received 0 bytes, sent 35 bytes$/);
    socket.destroy();
    server.close();
  });

  it('names events with their listeners', () => {
    const emitter = new EventEmitter();
    emitter.on('order', function onOrder() {});
    emitter.once('end', () => undefined);
    const rows = [
      { event: 'order', listeners: 'onOrder' },
      { event: 'end', listeners: '(anonymous)' },
    ];
    expect(glance(emitter)).toMatchObject({
      view: 'EventEmitter',
      line: '2 events',
      readings: [{ name: 'events', rows }],
    });
  });

  it('leaves out prototypes of streams, such as those of requests in Express', () => {
    const prototype = Object.create(IncomingMessage.prototype, { accepts: { value: () => true, enumerable: true } });
    expect(inspect({ prototype }).toString()).not.toMatch(/Threw|NaN|open/);
  });
});

describe('a view', () => {
  const viewWith = (readings: View['readings']): View => ({
    name: 'v',
    matches: (value): value is object => value !== undefined,
    ...(readings === undefined ? {} : { readings }),
  });
  const readOf = (read: () => unknown) => glance({}, { views: [viewWith({ it: { read } })] })?.readings[0];
  const fired: unknown[] = [];
  const noting = new Proxy({}, new Proxy({}, { get: (_, trap) => void fired.push(trap) }));

  it.each<[string, () => unknown, string]>([
    ['throws', () => JSON.parse('{'), '[Threw SyntaxError'],
    ['returns a promise', () => Promise.reject(new Error('no')), 'it returned a promise'],
    ['returns an object', () => ({}), 'it is no single value'],
    ['returns a proxy', () => noting, 'it is no single value'],
  ])('with a reading that %s reports a fault', (_, read, fault) => {
    expect(readOf(read)?.fault).toContain(fault);
    expect(fired).toEqual([]);
  });

  it('shows dates as texts, and masks what is secret', () => {
    expect(readOf(() => new Date(0))?.value).toBe('1970-01-01T00:00:00.000Z');
    const view = viewWith({ password: { read: () => 'hunter22' }, url: { read: () => 'redis://me:hunter22@host/' } });
    expect(glance({}, { views: [view] })?.line).toBe('password ******, url redis://******@host/');
  });

  it('reads values that live elsewhere only on request', () => {
    const views = [viewWith({ jobs: { ask: true, read: () => expect.unreachable() } })];
    expect(glance({}, { views })?.readings).toEqual([{ name: 'jobs', isSetting: false, ask: true }]);
  });

  it('recognises no proxy, runs no getter to recognise an object, and does not keep others from it by a fault', () => {
    expect(viewOf(noting, builtInViews)).toBeUndefined();
    const get = () => expect.unreachable();
    const names = '_clients _idle _pendingQueue options stats used free client routes router _nsps status'.split(' ');
    const trapped = Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, { enumerable: true, get }])),
    );
    expect(() => builtInViews.map((view) => view.matches(trapped))).not.toThrow();
    expect(fired).toEqual([]);
    const broken = { name: 'b', matches: (value: object): value is object => expect.unreachable(typeof value) };
    expect(viewOf({}, [broken, viewWith({})])?.name).toBe('v');
  });
});

class Window {
  get title() {
    return expect.unreachable();
  }
  get cookies() {
    return expect.unreachable();
  }
}

describe('the line of the state of any value', () => {
  const store = { dispatch() {}, subscribe() {}, replaceReducer() {}, getState: () => ({ cart: 2, token: 'abc' }) };
  it.each([
    ['what its view says', new Blob(['abc']), 'size 3 bytes'],
    ['what its view says is in it', store, 'cart 2, token ******'],
    ['how many entries it has', new Map([['a', 1]]), '1 entry'],
    ['how many entries a list has', [1, 2, 3], '3 entries'],
    ['how many values a set has', new Set(), '0 entries'],
    [
      'its first single values',
      { _hidden: 1, none: null, name: 'Ada', list: [1], age: 36, ok: true, more: 1 },
      'name Ada, age 36, more 1',
    ],
    [
      'how much it holds',
      { ok: true, _list: [1], none: [], map: new Map([[1, 2]]) },
      'list: 1 entry, map: 1 entry, ok true',
    ],
    ['how many properties it has, where none tells', { list: [], map: new Map() }, '2 entries: list, map'],
    ['of fields whose names begin with _, without it', { _points: 5, _keys: [] }, 'points 5'],
    ['of those after others, unless they tell more', { src: false, n: 1, _b: 2, _level: 40 }, 'level 40, n 1, b 2'],
    ['of an emitter besides, what it holds', Object.assign(new EventEmitter(), { name: 'nightly' }), 'name nightly'],
    ['of an emitter alone, its events', new EventEmitter().on('end', () => undefined), '1 event'],
    ['the getters of a class by name, not run', new Window(), '2 entries: title, cookies'],
    [
      'of a function with data',
      Object.assign(() => undefined, { schema: {}, errors: null }),
      '2 entries: schema, errors',
    ],
    ['of bytes, how many', new Uint8Array(13), '13 bytes'],
    [
      'what tells most first',
      { debug: false, retries: 3, host: 'a', state: 'open', ttl: 5 },
      'host a, state open, retries 3',
    ],
    ['what it is not at last', { debug: false, retries: 3 }, 'retries 3, debug false'],
    [
      'also what tells most of its settings',
      { options: { host: 'a', port: 1, password: 'x' }, host: 'b', clientConfig: { region: 'eu' }, reconfigured: {} },
      'host b, port 1, region eu',
    ],
    ['of an emitter of others, its events', { _events: {}, _eventsCount: 2 }, '2 events'],
    ['a long text by its beginning', { text: 'x'.repeat(100) }, `text ${'x'.repeat(40)}…`],
    ['a long name by its beginning', { ['k'.repeat(100)]: 1 }, `${'k'.repeat(40)}… 1`],
    ['a single value as it is', 'hello', 'hello'],
    ['how many bytes it has', { bytes: new Uint8Array(2 ** 28) }.bytes, '268435456 bytes'],
    ['that a number has too many digits', { big: 1n << 10_000_000n }, 'big [BigInt]'],
    ['of a text of any length, what is masked', { text: 'sk_live_'.repeat(1e6) }, 'text ******'],
    [
      'without secret numbers',
      { pin: 4711, password: 1n, otp: new Date(0), x: 5 },
      'pin ******, password ******, otp ******',
    ],
    ['nothing of what has nothing', {}, ''],
    ['what a registry has', { run() {}, stop() {} }, '2 functions: run, stop'],
    ['nothing of methods besides', { run() {}, nothing: undefined }, '1 entry: nothing'],
    ['nothing of a function', () => undefined, ''],
    [
      'a getter not run',
      Object.defineProperty({}, 'made', { get: () => expect.unreachable(), enumerable: true }),
      '1 entry: made',
    ],
    [
      'of its first hundred properties only',
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`n${index}`, index < 100 ? null : 'late'])),
      '101 entries: n0, n1, n2, …',
    ],
    ['nothing of a proxy', new Proxy({ a: 1 }, { ownKeys: () => expect.unreachable() }), ''],
  ])('is %s', (_what, value, line) => {
    expect(stateLine(value)).toBe(line);
  });

  it.each([
    ['numbers behind keys of such secrets', { pin: 4711, tokens: 12 }, {}, 'pin ******, tokens 12'],
    ['what the application names', { n: 4711, ok: true }, { mask: ['n', '/ok'] }, 'n ******, ok ******'],
    ['what its function says', { n: 4711 }, { mask: ({ path }: MaskableEntry) => path === '/n' }, 'n ******'],
    ['settings', { options: { host: 'a' }, config: { url: 'b' } }, { mask: ['options', '/config/url'] }, 'url ******'],
    ['known secrets that are numbers', { n: 47114711 }, { secrets: ['47114711'] }, 'n ******'],
  ])('masks %s', (_what, value, options, line) => {
    expect(stateLine(value, options)).toBe(line);
  });

  it.each([
    ['a known secret', { secrets: ['4711471147'] }],
    ['what a function masks', { mask: ({ path }: MaskableEntry) => path === '/a~1b' }],
    ['what a pointer masks', { mask: ['/a~1b'] }],
  ])('hides %s', (_what, options) => {
    expect(stateLine({ 'a/b': 4711471147, c: 1 }, options)).toBe('a/b ******, c 1');
    expect(stateLine({ 'a/b': '4711471147' }, options)).toBe('a/b ******');
  });

  it('is that of the object itself when its content cannot be read', () => {
    const view = {
      name: 'broken',
      matches: (_value: object): _value is object => true,
      content: () => expect.unreachable(),
    };
    expect(stateLine({ name: 'Ada' }, { views: [view] })).toBe('name Ada');
  });
});

describe('an object whose properties are under symbols', () => {
  class Client {
    constructor() {
      const options = { host: 'a', password: 'hunter22' };
      Object.assign(this, { [Symbol('options')]: options, [Symbol()]: 1, [Symbol('call')]: () => 1 });
    }
  }

  it('shows them by their descriptions, except with raw', () => {
    const shown = '{"options":{"host":"a","password":"******"},"symbol 2":1}';
    expect(inspect(new Client()).toString()).toBe(shown);
    expect(stateLine(new Client())).toBe('host a, symbol 2 1');
    expect(inspect(new Client(), { raw: true }).toString()).toBe('{}');
  });

  it('stays a marker when it is a built-in, and unchanged when it has other properties', () => {
    const promise = Object.assign(Promise.resolve(), { [Symbol('id')]: 1 });
    expect(stateLine(Object.assign(new Window(), { [Symbol('id')]: 1 }))).toBe('2 entries: title, cookies');
    expect(inspect([promise, { [Symbol('id')]: 1 }, { a: 1, [Symbol('id')]: 1 }]).toString()).toBe(
      '["[Promise]",{},{"a":1}]',
    );
  });
});

it('labelOf splits a name into words', () => {
  expect(['inUse', 'waiting', 'keepAliveTimeout'].map(labelOf)).toEqual(['In use', 'Waiting', 'Keep alive timeout']);
});
