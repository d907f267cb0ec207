import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { everyWay } from '../test-fixtures/both-ways.ts';
import { inspect } from './inspect.ts';

describe('functions', () => {
  const written = (value: unknown) => JSON.parse(inspect(value).toString()) as unknown;

  it('are shown as listeners of an emitter, one or more for an event', () => {
    const emitter = new EventEmitter();
    emitter.on('open', function greet() {});
    emitter.on('data', function first() {});
    emitter.on('data', function second() {});
    const events = { open: '[Function greet]', data: ['[Function first]', '[Function second]'] };
    expect(written(emitter)).toMatchObject({ _events: events, _eventsCount: 2 });
    const [one, ...others] = everyWay({ emitter });
    for (const other of others) expect(other).toBe(one);
    expect(inspect(emitter, { at: '/_events/open' }).toString()).toBe('"[Function greet]"');
  });

  it('are left out of objects with a class, and of modules', async () => {
    expect(written({ method() {}, a: { arrow: () => 1, b: 1 } })).toEqual({ a: { b: 1 } });
    expect(written(await import('./objects/markers.ts'))).not.toHaveProperty('functionMarker');
    expect(written(await import('node:path'))).not.toHaveProperty('join');
  });

  it('are masked by their key, and skipped as other entries', () => {
    const dictionary = Object.assign(Object.create(null), { a: Number, password: String, b: Boolean }) as object;
    for (const document of everyWay(dictionary)) {
      expect(document).toBe('{"a":"[Function Number]","password":"******","b":"[Function Boolean]"}');
    }
    expect(inspect(dictionary, { from: 1, limit: 1 }).toString()).toBe('{"password":"******","_more":"[1 more]"}');
  });
});

describe('limits', () => {
  it('that are invalid are rejected with a message that names valid values', () => {
    expect(() => inspect(1, { depth: 0 })).toThrow(
      expect.objectContaining({
        code: 'JIG_INSPECTION_OPTION_INVALID',
        option: 'depth',
        expected: 'a whole number from 1',
      }),
    );
    expect(() => inspect(1, { limit: 1.5 })).toThrow('limit must be a whole number from 1');
    expect(() => inspect(1, { text: 3 })).toThrow('text must be a whole number from 64');
    expect(() => inspect(1, { at: 'a' })).toThrow('at must be a JSON Pointer such as /a/0/b');
  });
});

describe('the value that `at` points to', () => {
  it('is found without reading its siblings', () => {
    let reads = 0;
    const beside = {
      get first() {
        return reads++;
      },
      second: 2,
    };
    expect(inspect(beside, { at: '/second' }).toString()).toBe('2');
    const hidden = {
      get method() {
        return () => 1;
      },
      set written(_: number) {
        reads++;
      },
      get after() {
        return reads++;
      },
    };
    expect(() => inspect(hidden, { at: '/method' })).toThrow('at leads to nothing');
    expect(() => inspect(hidden, { at: '/written' })).toThrow('at leads to nothing');
    expect(reads).toBe(0);
    expect(inspect(hidden, { at: '/after' }).toString()).toBe('0');
  });
});

describe('inspecting', () => {
  it('does not handle a rejection of a promise that existed before', async () => {
    const reasons: unknown[] = [];
    const note = (reason: unknown) => reasons.push(reason);
    process.on('unhandledRejection', note);
    const failed = Promise.reject(new Error('kept'));
    const fresh = {
      get a() {
        return Promise.reject(new Error('fresh'));
      },
    };
    const yielded = {
      length: 1,
      *[Symbol.iterator]() {
        yield Promise.reject(new Error('yielded'));
      },
    };
    for (let round = 0; round < 5; round++)
      expect(inspect([failed, fresh, yielded, { failed }]).toString()).toContain('[Promise]');
    await wait(20);
    process.off('unhandledRejection', note);
    expect(reasons).toEqual([expect.objectContaining({ message: 'kept' })]);
  });

  it('handles promises of a subclass without running its code', async () => {
    const reasons: unknown[] = [];
    const note = (reason: unknown) => reasons.push(reason);
    process.on('unhandledRejection', note);
    let made = 0;
    let asked = 0;
    class Task extends Promise<never> {
      constructor(run: (resolve: (value: never) => void, reject: (reason: unknown) => void) => void) {
        super(run);
        made++;
      }
      static override get [Symbol.species]() {
        asked++;
        return Task as unknown as PromiseConstructor;
      }
    }
    const failing = () => new Task((_, reject) => reject(new Error('task')));
    const disguised = () => Object.assign(Promise.reject(new Error('own')), { constructor: failing });
    const sealed = () => Object.freeze(failing());
    const tasks: Task[] = [];
    const bean = {
      get kept() {
        tasks.push(failing());
        return { tasks };
      },
      get more() {
        return [[disguised()], new Map([['sealed', sealed()]])];
      },
    };
    const document = '{"kept":"[Depth limit]","more":"[Depth limit]"}';
    for (const shown of everyWay(bean, { depth: 1 })) expect(shown).toBe(document);
    await wait(20);
    process.off('unhandledRejection', note);
    expect(reasons).toEqual([]);
    expect(tasks).toHaveLength(2);
    // Only what cannot be changed, not even for a moment, is asked for its class.
    expect({ made, asked }).toEqual({ made: 6, asked: 2 });
    for (const task of tasks) expect(Object.hasOwn(task, 'constructor')).toBe(false);
  });

  it('does not handle promises that others create, even right after it', async () => {
    const reasons: unknown[] = [];
    const note = (reason: unknown) => reasons.push(reason);
    process.on('unhandledRejection', note);
    inspect({ a: 1 }).toString();
    const other = Promise.reject(new Error('of somebody else'));
    await wait(20);
    process.off('unhandledRejection', note);
    expect(reasons).toEqual([expect.objectContaining({ message: 'of somebody else' })]);
    expect(other).toBeInstanceOf(Promise);
  });

  it('shows a getter again after it has stored its result on the object', () => {
    class Lazy {
      get made(): number {
        Object.defineProperty(this, 'made', { value: 1 });
        return 1;
      }
    }
    const bean = [new Lazy(), new Lazy()];
    for (const document of everyWay(bean)) expect(document).toBe('[{"made":1},{"made":1}]');
  });

  it('notices getters and toJSON that are added to a class later', () => {
    class Growing {
      a = 1;
    }
    for (let round = 0; round < 5; round++) expect(inspect(new Growing()).toString()).toBe('{"a":1}');
    Object.defineProperty(Growing.prototype, 'b', { get: () => 2, configurable: true });
    for (let round = 0; round < 5; round++) expect(inspect(new Growing()).toString()).toBe('{"a":1,"b":2}');
    Object.defineProperty(Growing.prototype, 'toJSON', { value: () => 'json' });
    expect(inspect(new Growing()).toString()).toBe('"json"');
  });

  it('notices when a method becomes a getter, and a getter a method', () => {
    class Turning {
      a = 1;
      method() {
        return 'called';
      }
      get getter() {
        return 'read';
      }
    }
    const bean = [new Turning(), new Turning()];
    for (const document of everyWay(bean)) expect(document).toBe('[{"a":1,"getter":"read"},{"a":1,"getter":"read"}]');
    Object.defineProperty(Turning.prototype, 'method', { get: () => 'read', configurable: true });
    Object.defineProperty(Turning.prototype, 'getter', { value: () => 'called' });
    for (const document of everyWay(bean)) expect(document).toBe('[{"a":1,"method":"read"},{"a":1,"method":"read"}]');
  });

  it('does not show enumerable properties of a prototype as properties of its objects', () => {
    class Base {
      a = 1;
    }
    const bean = [new Base(), Object.assign(new Base(), { length: 2 })];
    for (const document of everyWay(bean)) expect(document).toBe('[{"a":1},{"a":1,"length":2}]');
    Object.defineProperty(Base.prototype, 'length', { value: 3, configurable: true });
    for (const document of everyWay(bean)) expect(document).toBe('[{"a":1},{"a":1,"length":2}]');
    Object.defineProperty(Base.prototype, 'length', { enumerable: true });
    for (const document of everyWay(bean)) expect(document).toBe('[{"a":1},{"a":1,"length":2}]');
  });

  it('shows the result of toJSON of a map or of Map.prototype, also when maps were written before', () => {
    const plain = new Map([['a', new Map([['b', 1]])]]);
    expect(inspect(plain).toString()).toBe('{"a":{"b":1}}');
    const own = Object.assign(new Map([['a', 1]]), { toJSON: () => 'own' });
    expect(inspect([own, new Map([['a', 1]])]).toString()).toBe('["own",{"a":1}]');
    Object.defineProperty(Map.prototype, 'toJSON', { value: () => 'all', configurable: true });
    try {
      expect(inspect(plain).toString()).toBe('"all"');
    } finally {
      Reflect.deleteProperty(Map.prototype, 'toJSON');
    }
    expect(inspect(plain).toString()).toBe('{"a":{"b":1}}');
  });

  it('does not run a toJSON that is a getter', () => {
    let runs = 0;
    const toJSON = { get: () => runs++, configurable: true };
    const bean = [
      { id: 1 },
      Object.defineProperty({ id: 1 }, 'toJSON', toJSON),
      Object.defineProperty([1], 'toJSON', toJSON),
    ];
    for (const document of everyWay(bean)) expect(document).toBe('[{"id":1},{"id":1},[1]]');
    expect(runs).toBe(0);
  });

  it('continues safely with an object whose prototype was changed between two chunks', async () => {
    class Big {
      list = Array.from({ length: 20_000 }, (_, index) => `item ${index}`);
      after = 1;
      get last(): string {
        return 'last';
      }
    }
    const fired: unknown[] = [];
    const trap = new Proxy(
      {},
      { get: (_, key) => fired.push(key), getOwnPropertyDescriptor: (_, key) => void fired.push(key) },
    );
    for (let round = 0; round < 5; round++) inspect(new Big()).toString();
    const big = new Big();
    const chunks: Buffer[] = [];
    for await (const chunk of inspect(big)) {
      if (chunks.push(chunk) === 1) Object.setPrototypeOf(big, trap);
    }
    expect(chunks.length).toBeGreaterThan(1);
    const text = Buffer.concat(chunks).toString();
    expect(text.slice(-24)).toBe('"item 19999"],"after":1}');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['list', 'after']);
    expect(fired).toEqual([]);
  });

  it('works from within a getter that is being inspected', () => {
    const inner = { a: 1 };
    const bean = {
      get text() {
        return inspect(inner).toString();
      },
      after: 2,
    };
    for (let round = 0; round < 5; round++) expect(inspect(bean).toString()).toBe('{"text":"{\\"a\\":1}","after":2}');
  });

  it('shows an error whose stack throws', () => {
    const error = Object.defineProperty(new Error('x'), 'name', {
      get() {
        throw new RangeError('no name');
      },
    });
    const [shown] = JSON.parse(inspect([error], { stacks: true }).toString()) as object[];
    expect(shown).toMatchObject({ name: '[Threw RangeError: no name]', message: 'x' });
  });

  it('enters no proxy, and shows stacks only with the option stacks', () => {
    const bean = { proxy: new Proxy({ a: [1] }, {}), list: new Proxy([1, 2], {}), error: new Error('x') };
    const shown = JSON.parse(inspect(bean, { stacks: true }).toString()) as { error: Error };
    expect(shown).toMatchObject({ proxy: '[Proxy]', list: '[Proxy]' });
    expect(shown.error.stack).toContain('Error: x');
    expect(inspect(bean).toString()).not.toContain('stack');
  });
});
