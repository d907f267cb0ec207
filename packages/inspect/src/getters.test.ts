import { deprecate } from 'node:util';
import { runInThisContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shown, written } from '../test-fixtures/both-ways.ts';
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

describe('a getter whose code creates a promise', () => {
  class Queue {
    made = 0;
    async = 'by itself';
    get scheduler(): Promise<number> {
      return new Promise((resolve) => resolve(++this.made));
    }
    get started(): unknown {
      return (async () => ++this.made)();
    }
    get isAsync(): boolean {
      return this.async === 'by itself';
    }
  }

  it('is not run, unless at leads to it', () => {
    const queue = new Queue();
    const told = { made: 0, async: 'by itself', scheduler: '[Promise]', started: '[Promise]', isAsync: true };
    expect(shown(queue)).toEqual(told);
    expect(queue.made).toBe(0);
    inspect(queue, { at: '/scheduler' }).toString();
    expect(queue.made).toBe(1);
  });
});

it('shows a name once when a getter removes the property that hid another getter', () => {
  class Lazy {
    get removing(): string {
      Reflect.deleteProperty(this, 'value');
      return 'removed';
    }
    get value(): string {
      return 'of the class';
    }
  }
  const made = () => Object.defineProperty(new Lazy(), 'value', { value: 'own', enumerable: true, configurable: true });
  expect(inspect(made()).toString()).toBe('{"value":"own","removing":"removed"}');
});

describe('the option getters', () => {
  it('decides which getters are run, in every form and also where at leads to one', async () => {
    const bean = new Counted();
    expect(shown(bean, { getters: 'none' })).toEqual({ field: 1, own: '[Getter]', ofClass: '[Getter]' });
    const { entries } = outline(bean, { getters: 'none' });
    expect(entries.map(({ kind, preview, canOpen }) => [kind, preview, canOpen])).toEqual([
      ['number', '1', false],
      ['limit', '[Getter]', false],
      ['limit', '[Getter]', false],
    ]);
    await find(bean, '1', { getters: 'none' });
    expect(inspect(bean, { getters: 'none', at: '/ofClass' }).toString()).toBe('"[Getter]"');
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
    expect(inspect(bean, { getters: 'own' }).toString()).toBe('{"field":1,"own":1,"ofClass":"[Getter]"}');
    expect(inspect(bean).toString()).toBe('{"field":1,"own":2,"ofClass":3}');
    expect(shown(new Headers({ a: 'b' }), { getters: 'none' })).toEqual({});
    expect(outline(new Blob(['abc']), { getters: 'none', glance: true })).not.toHaveProperty('glance');
    const wrong = 'all' as 'run';
    expect(() => inspect(bean, { getters: wrong })).toThrow('getters must be "run", "own" or "none"');
  });

  it('applies to each inspection by itself, also when a getter inspects', () => {
    const inner = new Counted();
    const bean = {
      get look() {
        return inspect(inner, { getters: 'none' }).toString();
      },
      get after() {
        return 1;
      },
    };
    expect(JSON.parse(inspect(bean).toString())).toEqual({
      look: '{"field":1,"own":"[Getter]","ofClass":"[Getter]"}',
      after: 1,
    });
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

describe('a getter that does something and returns its own object', () => {
  it('is run only where at leads to it', async () => {
    class Message {
      readonly flags: Record<string, boolean> = {};
      get volatile(): this {
        this.flags.volatile = true;
        return this;
      }
      get self(): this {
        return this;
      }
    }
    const minified = runInThisContext('({get local(){return this.flags.local=!0,this}})');
    const local = Object.getOwnPropertyDescriptor(minified, 'local');
    Object.defineProperty(Message.prototype, 'local', { ...local, enumerable: false });
    const message = new Message();
    expect(shown(message)).toEqual({ flags: {}, volatile: '[Getter]', self: '[Reference /]', local: '[Getter]' });
    outline(message, { levels: 3 });
    await find(message, 'volatile');
    expect(message.flags).toEqual({});
    inspect(message, { at: '/volatile' }).toString();
    expect(message.flags).toEqual({ volatile: true });
  });
});

it('does not run a getter that prints', () => {
  const printed = vi.spyOn(console, 'warn');
  class Client {
    get calls(): number {
      console.warn('calls is deprecated.');
      return 1;
    }
  }
  expect(shown(new Client())).toEqual({ calls: '[Getter]' });
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

describe('a getter that creates a component and keeps it', () => {
  class Api {
    readonly host = 'example.org';
  }

  const kept = Symbol('kept');

  class Client {
    _api: Api | undefined;
    [kept]: Api | undefined;
    #own: Api | undefined;
    #tags: Map<string, number> | undefined;

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

  it('is run only where at leads to it, unless it keeps plain data', () => {
    const client = new Client();
    const marker = '[Getter]';
    expect(shown(client)).toEqual({
      _api: null,
      api: marker,
      host: marker,
      bySymbol: marker,
      own: marker,
      tags: { a: 1 },
    });
    expect([client._api, client[kept]]).toEqual([undefined, undefined]);
    expect(inspect(client, { at: '/api' }).toString()).toBe('{"host":"example.org"}');
    expect(shown(client)).toMatchObject({ _api: { host: 'example.org' }, api: marker });
  });
});

describe('a getter that throws', () => {
  it('is run again in the next document', () => {
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
    expect(await warningsOf(() => inspect(bean).toString())).toEqual([]);
    expect(current()).toBe(emitWarning);
    expect(await warningsOf(() => process.emitWarning('of the application'))).toEqual(['of the application']);
    const replaced: unknown[] = [];
    process.emitWarning = (warning: unknown) => replaced.push(warning);
    inspect(bean).toString();
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
