import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type ViewCase, viewCases } from '../../test-fixtures/view-cases.ts';
import { inspect } from '../inspect.ts';
import type { MaskableEntry } from '../masking/masking.ts';
import { builtInViews } from './built-in-views.ts';
import { glance, labelOf, viewOf } from './glance.ts';
import { stateLine } from './state-line.ts';
import type { View } from './view.ts';

const lineOf = (value: unknown) => glance(value)?.line;
const viewNamed = (name: string) => builtInViews.find((view) => view.name === name) as View;

async function listening() {
  const server = createServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Fixture {
  readonly name: string;
  readonly create: () => Promise<object> | object;
  readonly release?: (value: never) => unknown;
}

const fixture = (name: string, create: Fixture['create'], release?: (value: never) => unknown): Fixture =>
  release === undefined ? { name, create } : { name, create, release };

const fixtures: readonly Fixture[] = [
  fixture('http.Server', listening, (server: Awaited<ReturnType<typeof listening>>) => server.close()),
  fixture(
    'Worker',
    async () => {
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
      await once(worker, 'online');
      return worker;
    },
    (worker: Worker) => worker.terminate(),
  ),
  fixture(
    'ChildProcess',
    () => spawn('sleep', ['10']),
    (child: ReturnType<typeof spawn>) => child.kill(),
  ),
  fixture('Stream', () => new PassThrough()),
  fixture('EventEmitter', () => new EventEmitter().on('order', () => undefined)),
  fixture('Timer', () => setTimeout(() => undefined, 10), clearTimeout),
  fixture('AsyncLocalStorage', () => new AsyncLocalStorage()),
  fixture('KeyObject', () => createSecretKey(Buffer.from('a secret key of some length'))),
  fixture('Headers', () => new Headers({ accept: 'text/html' })),
  fixture('FormData', () => new FormData()),
  fixture('URLSearchParams', () => new URLSearchParams('a=1')),
  fixture('Request', () => new Request('http://localhost/')),
  fixture('Response', () => new Response('body')),
  fixture('Blob', () => new Blob(['abc'])),
  fixture('AbortSignal', () => new AbortController().signal),
  fixture('Intl', () => new Intl.NumberFormat('de')),
];

describe.each(fixtures)('the view of $name', ({ name, create, release }) => {
  const cases: readonly ViewCase[] = viewCases({
    view: viewNamed(name),
    create,
    release: async (value) => void (await release?.(value as never)),
  });
  it.each(cases)('$name', ({ run }) => run());
});

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
    expect(glance(emitter)).toMatchObject({
      view: 'EventEmitter',
      line: '2 events',
      readings: [
        {
          name: 'events',
          rows: [
            { event: 'order', listeners: 'onOrder' },
            { event: 'end', listeners: '(anonymous)' },
          ],
        },
      ],
    });
  });

  it('leaves out prototypes of streams, such as those of requests in Express', () => {
    const prototype = Object.create(IncomingMessage.prototype, { accepts: { value: () => true, enumerable: true } });
    expect(inspect({ prototype }).toString()).not.toMatch(/Threw|NaN|open/);
  });

  it('masks what is secret', () => {
    const request = new Request('http://localhost/x', { headers: { authorization: 'Bearer hunter22' } });
    const view: View = {
      name: 'v',
      matches: (value): value is object => value === request,
      readings: {
        password: { read: () => 'hunter22' },
        url: { read: () => 'redis://me:hunter22@host/' },
      },
    };
    expect(glance(request, { views: [view] })?.line).toBe('password ******, url redis://******@host/');
  });
});

describe('a view', () => {
  const reading = (read: () => unknown): View => ({
    name: 'v',
    matches: (value): value is object => value !== undefined,
    readings: { it: { read } },
  });
  const readOf = (view: View) => glance({}, { views: [view] })?.readings[0];

  it('that throws, or returns a promise or an object, is reported, and does not affect others', () => {
    expect(
      readOf(
        reading(() => {
          throw new TypeError('no');
        }),
      )?.fault,
    ).toBe('[Threw TypeError: no]');
    expect(readOf(reading(() => Promise.reject(new Error('no'))))?.fault).toBe('it returned a promise');
    expect(readOf(reading(() => ({})))?.fault).toBe('it is no single value');
    const broken: View = {
      name: 'b',
      matches: (value): value is object => {
        throw new Error(`no, ${typeof value}`);
      },
    };
    expect(viewOf({}, [broken, reading(() => 1)])?.name).toBe('v');
  });

  it('is not asked for a proxy, and fires no trap', () => {
    const fired: string[] = [];
    const note = (trap: string) => () => void fired.push(trap);
    const proxy = new Proxy({}, { get: note('get'), has: () => Boolean(fired.push('has')) });
    expect(viewOf(proxy, builtInViews)).toBeUndefined();
    expect(fired).toEqual([]);
  });

  it('that returns a proxy fires no trap', () => {
    const fired: string[] = [];
    const proxy = new Proxy({}, { getPrototypeOf: () => (fired.push('getPrototypeOf') > 0 ? null : {}) });
    expect(readOf(reading(() => proxy))?.fault).toBe('it is no single value');
    expect(readOf(reading(() => new Date(0)))?.value).toBe('1970-01-01T00:00:00.000Z');
    expect(fired).toEqual([]);
  });

  it('reads values that live elsewhere only on request', () => {
    let asked = 0;
    const view: View = {
      name: 'v',
      matches: (value): value is object => value !== undefined,
      readings: { jobs: { ask: true, read: () => ++asked } },
    };
    expect(glance({}, { views: [view] })?.readings).toEqual([{ name: 'jobs', isSetting: false, ask: true }]);
    expect(asked).toBe(0);
  });

  it('runs no getter of any object to recognise it', () => {
    const names = [
      '_clients',
      '_idle',
      '_pendingQueue',
      'options',
      'stats',
      'used',
      'free',
      'client',
      'routes',
      'router',
      '_nsps',
      'status',
    ];
    const trapped = Object.defineProperties(
      {},
      Object.fromEntries(
        names.map((name) => [
          name,
          {
            enumerable: true,
            get() {
              throw new Error(name);
            },
          },
        ]),
      ),
    );
    expect(() => builtInViews.map((view) => view.matches(trapped))).not.toThrow();
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
