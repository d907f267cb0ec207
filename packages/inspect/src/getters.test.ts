import { deprecate } from 'node:util';
import { runInThisContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { find } from './find.ts';
import { inspect } from './inspect.ts';
import { outline } from './outline.ts';

class Counted {
  calls = 0;
  readonly field = 1;
  constructor() {
    Object.defineProperty(this, 'calls', { enumerable: false });
    Object.defineProperty(this, 'own', { enumerable: true, get: () => ++this.calls });
  }
  get ofClass(): number {
    return ++this.calls;
  }
}

describe('the option getters', () => {
  const told = { field: 1, own: '[Getter]', ofClass: '[Getter]' };

  it('chooses the getters that are run, in every form and also when at leads to one', async () => {
    const bean = new Counted();
    expect(shown(bean, { getters: 'none' })).toEqual(told);
    const { entries } = outline(bean, { getters: 'none' });
    expect(entries.map(({ kind, preview, canOpen }) => [kind, preview, canOpen])).toEqual([
      ['number', '1', false],
      ['limit', '[Getter]', false],
      ['limit', '[Getter]', false],
    ]);
    await find(bean, '1', { getters: 'none' });
    expect(written(bean, { getters: 'none', at: '/ofClass' })).toBe('"[Getter]"');
    expect(outline(bean, { getters: 'none', at: '/own' }).text).toBe('[Getter]');
    const list = Object.defineProperty([1, 2], 1, { get: () => ++bean.calls });
    expect(shown(list, { getters: 'none' })).toEqual([1, '[Getter]']);
    class Listed {
      get length(): number {
        return ++bean.calls;
      }
      *[Symbol.iterator](): Generator<number> {
        yield ++bean.calls;
      }
    }
    expect(shown(new Listed(), { getters: 'none' })).toEqual({ length: '[Getter]' });
    expect(bean.calls).toBe(0);
    expect(shown(bean, { getters: 'own' })).toEqual({ ...told, own: 1 });
    expect(shown(bean)).toEqual({ field: 1, own: 2, ofClass: 3 });
    expect(shown(new Headers({ a: 'b' }), { getters: 'none' })).toEqual({});
    expect(outline(new Blob(['abc']), { getters: 'none', glance: true })).not.toHaveProperty('glance');
  });

  it('holds for each document by itself, when a getter calls inspect too', () => {
    const bean = {
      get look() {
        return written(new Counted(), { getters: 'none' });
      },
      get after() {
        return 1;
      },
    };
    expect(shown(bean)).toEqual({ look: JSON.stringify(told), after: 1 });
  });
});

describe('a getter whose code has an effect', () => {
  class Api {
    readonly host = 'example.org';
  }
  const kept = Symbol('kept');
  const minified = runInThisContext('({get local(){return this.flags.local=!0,this}})') as object;

  class Client {
    made = 0;
    async = 'by itself';
    readonly flags: Record<string, boolean> = {};
    _api: Api | undefined;
    [kept]: Api | undefined;
    #own: Api | undefined;
    #tags: Map<string, number> | undefined;

    get creatingPromise(): Promise<number> {
      return new Promise((resolve) => resolve(++this.made));
    }
    get creatingAsync(): unknown {
      return (async () => ++this.made)();
    }
    get isAsync(): boolean {
      return this.async === 'by itself';
    }
    get printing(): number {
      console.warn('printing is deprecated.');
      return ++this.made;
    }
    get changing(): this {
      this.flags.changing = true;
      return this;
    }
    get self(): this {
      return this;
    }
    get api(): Api {
      if (!this._api) this._api = new Api();
      return this._api;
    }
    get host(): string {
      return this.api.host;
    }
    get bySymbol(): Api {
      this[kept] ||= new Api();
      return this[kept];
    }
    get own(): Api {
      this.#own ??= new Api();
      return this.#own;
    }
    get tags(): Map<string, number> {
      this.#tags ??= new Map([['a', 1]]);
      return this.#tags;
    }
  }
  Object.defineProperty(Client.prototype, 'local', {
    ...Object.getOwnPropertyDescriptor(minified, 'local'),
    enumerable: false,
  });

  it('is run only when at leads to it: creating promises, printing, changing, keeping a component', async () => {
    const client = new Client();
    const marker = '[Getter]';
    const untouched = { made: 0, async: 'by itself', flags: {}, _api: null };
    expect(shown(client)).toEqual({
      ...untouched,
      creatingPromise: '[Promise]',
      creatingAsync: '[Promise]',
      isAsync: true,
      printing: marker,
      changing: marker,
      self: '[Reference /]',
      api: marker,
      host: marker,
      bySymbol: marker,
      own: marker,
      // Mere data may be kept.
      tags: { a: 1 },
      local: marker,
    });
    outline(client, { levels: 3 });
    await find(client, 'changing');
    expect([client.made, client.flags, client._api, client[kept]]).toEqual([0, {}, undefined, undefined]);
    for (const at of ['/creatingPromise', '/changing']) written(client, { at });
    expect([client.made, client.flags]).toEqual([1, { changing: true }]);
    expect(shown(client, { at: '/api' })).toEqual({ host: 'example.org' });
    expect(shown(client)).toMatchObject({ _api: { host: 'example.org' }, api: marker });
  });
});

describe('a getter that returns a promise', () => {
  it('is run once for its class when it creates the promise, and where at leads to it', async () => {
    let calls = 0;
    class Queue {
      get ready(): Promise<number> {
        calls++;
        return Promise.resolve(1);
      }
    }
    const queues = Array.from({ length: 3 }, () => new Queue());
    expect(inspect(queues).toString()).toBe('[{"ready":"[Promise]"},{"ready":"[Promise]"},{"ready":"[Promise]"}]');
    expect([written(queues[0]), calls]).toEqual(['{"ready":"[Promise]"}', 1]);
    expect(outline(queues[0]).entries[0]).toMatchObject({
      kind: 'limit',
      type: 'getter',
      preview: '[Promise]',
      canOpen: true,
    });
    await find(queues, 'x');
    expect(calls).toBe(1);
    expect([inspect(queues, { at: '/1/ready' }).toString(), calls]).toEqual(['"[Promise]"', 2]);
  });

  it('is run again when the promise existed before', () => {
    class Box {
      readonly #value: unknown;
      constructor(value: unknown) {
        this.#value = value;
      }
      get value(): unknown {
        return this.#value;
      }
    }
    const boxes = [new Box(Promise.resolve(1)), new Box(2)];
    expect(shown(boxes)).toEqual([{ value: '[Promise]' }, { value: 2 }]);
    expect(outline(boxes[0]).entries[0]).toMatchObject({ kind: 'other', type: 'Promise', canOpen: false });
  });
});

describe('a getter that throws', () => {
  it('is run again by the next document', () => {
    let isReady = false;
    const bean = {
      get value() {
        if (!isReady) throw new Error('too early');
        return 1;
      },
    };
    expect(shown(bean)).toEqual({ value: '[Threw Error: too early]' });
    isReady = true;
    expect(shown(bean)).toEqual({ value: 1 });
  });

  it.each([
    ['an error', new RangeError('no'), 'RangeError: no'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['an error without a name', Object.assign(new RangeError('no'), { name: '' }), 'RangeError: no'],
    ['an error whose name is no text', Object.assign(new RangeError('no'), { name: 5 }), 'RangeError: no'],
    ['an error with a name of its own', Object.assign(new Error('no'), { name: 'Own' }), 'Own: no'],
    ['an object', {}, 'Object'],
    ['an object with a message that is no text', { message: 5 }, 'Object'],
    ['a text', 'no', 'no'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', function named() {}, '[Function named]'],
    ['a proxy', new Proxy({}, {}), '[Proxy]'],
    ['a long BigInt', 1n << 33_219n, '[BigInt]'],
  ])('is a marker with what it throws: %s', (_, thrown, text) => {
    const bean = {
      get broken() {
        throw thrown;
      },
    };
    expect(shown(bean)).toEqual({ broken: `[Threw ${text}]` });
  });
});

it('a name is shown once when a getter removes the property that hid another getter', () => {
  class Lazy {
    get removing(): string {
      Reflect.deleteProperty(this, 'value');
      return 'removed';
    }
    get value(): string {
      return 'of the class';
    }
  }
  const property = { value: 'own', enumerable: true, configurable: true };
  expect(written(Object.defineProperty(new Lazy(), 'value', property))).toBe('{"value":"own","removing":"removed"}');
});

it('a getter that stores its result on its object is shown once', () => {
  class Lazy {
    get made(): number {
      Object.defineProperty(this, 'made', { value: 1 });
      return 1;
    }
  }
  const bean = [new Lazy(), new Lazy()];
  for (const _ of [1, 2]) expect(shown(bean)).toEqual([{ made: 1 }, { made: 1 }]);
});

describe('a getter that causes a warning of the process', () => {
  const current = (): unknown => Reflect.get(process, 'emitWarning');
  const emitWarning = current();
  afterEach(() => {
    Reflect.set(process, 'emitWarning', emitWarning);
  });

  /** Runs work, and tells what warnings came of it. */
  async function warningsOf(work: () => unknown): Promise<string[]> {
    const messages: string[] = [];
    const listen = ({ message }: Error) => messages.push(message);
    process.on('warning', listen);
    try {
      await work();
      await new Promise(setImmediate);
    } finally {
      process.off('warning', listen);
    }
    return messages;
  }

  it.each(['json', 'xml'] as const)(
    'prints no warning, and is not run again until at leads to it, in %s',
    async (format) => {
      let calls = 0;
      const notice = deprecate(() => undefined, 'old things are deprecated');
      class Client {
        get old(): number {
          notice();
          return ++calls;
        }
        get current(): number {
          return 2;
        }
      }
      const client = new Client();
      const document = format === 'json' ? '{"old":"[Getter]","current":2}' : '<Client><old>[Getter]</old>';
      const messages = await warningsOf(() => {
        for (const each of [written(client, { format }), written(client, { format })]) expect(each).toContain(document);
      });
      expect([messages, calls]).toEqual([[], 1]);
      expect(outline(client).entries[0]).toMatchObject({ kind: 'limit', preview: '[Getter]', canOpen: true });
      expect([inspect(client, { at: '/old' }).toString(), calls]).toEqual(['2', 2]);
    },
  );

  it('does not change warnings of other code, nor a replaced emitWarning', async () => {
    const bean = {
      get warns() {
        process.emitWarning('by looking');
        return 1;
      },
      get throws() {
        process.emitWarning('by looking');
        throw new Error('no');
      },
    };
    expect(await warningsOf(() => written(bean))).toEqual([]);
    expect(current()).toBe(emitWarning);
    expect(await warningsOf(() => process.emitWarning('of the application'))).toEqual(['of the application']);
    const replaced: unknown[] = [];
    process.emitWarning = (warning: unknown) => replaced.push(warning);
    written(bean);
    process.emitWarning('to the other');
    expect(replaced).toEqual(['to the other']);
    const other = () => undefined;
    inspect({
      get replaces() {
        process.emitWarning = other;
        return 1;
      },
    }).toString();
    expect(current()).toBe(other);
  });
});
