import { setImmediate as nextTurn } from 'node:timers/promises';
import { promiseHooks } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test-fixtures/shown.ts';
import { callBeanCode, findToJson, getProperty, handlingCreatedPromises } from './bean-code.ts';
import { Context } from './context.ts';

const throwing = () => {
  throw new Error('no');
};
const proxied = new Proxy(() => 1, { apply: throwing });

/** The reasons of the rejections that nobody handles while work is done. */
async function unhandledDuring(work: () => void): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown) => reasons.push(reason);
  process.on('unhandledRejection', note);
  work();
  await nextTurn();
  await nextTurn();
  process.off('unhandledRejection', note);
  return reasons;
}

describe('a promise that rejects', () => {
  it('is handled if it was created while looking, at any depth, also when the work throws', async () => {
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
    const unhandled = await unhandledDuring(() => {
      for (let round = 0; round < 5; round++)
        expect(shown([fresh, yielded])).toEqual([{ a: '[Promise]' }, ['[Promise]']]);
      const rejecting = () => {
        void Promise.reject(new Error('a'));
        return 5;
      };
      expect(handlingCreatedPromises(() => handlingCreatedPromises(rejecting))).toBe(5);
      expect(() => handlingCreatedPromises(() => rejecting() && throwing())).toThrow('no');
    });
    expect(unhandled).toEqual([]);
  });

  it('is left to others if it was created before or after, or between two looks', async () => {
    const unhandled = await unhandledDuring(() => {
      const before = Promise.reject('before');
      shown([before]);
      void Promise.reject('between');
      handlingCreatedPromises(() => 1);
      void Promise.reject('after');
    });
    expect(unhandled).toEqual(['before', 'between', 'after']);
    expect(await unhandledDuring(() => void Promise.reject('later'))).toEqual(['later']);
  });

  it('of a subclass is handled without running its code, and keeps its constructor', async () => {
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
    const kept: Promise<unknown>[] = [];
    const bean = {
      get kept() {
        kept.push(failing(), Object.assign(Promise.reject('own'), { constructor: 5 }), Promise.reject('plain'));
        return { kept };
      },
      get more() {
        const disguised = Object.assign(Promise.reject(new Error('own')), { constructor: failing });
        return [[disguised], new Map([['sealed', Object.freeze(failing())]])];
      },
    };
    const unhandled = await unhandledDuring(() => {
      expect(shown(bean, { depth: 1 })).toEqual({ kept: '[Depth limit]', more: '[Depth limit]' });
    });
    expect(unhandled).toEqual([]);
    expect(kept.map((promise) => Object.hasOwn(promise, 'constructor'))).toEqual([false, true, false]);
    expect(kept[1]).toHaveProperty('constructor', 5);
    // Only what cannot be changed, not even for a moment, is asked for its class.
    expect({ made, asked }).toEqual({ made: 3, asked: 1 });
  });
});

describe('code of a bean', () => {
  const bean = {
    value: 1,
    get got() {
      return this.value + 1;
    },
    get broken() {
      return throwing();
    },
    set written(_: number) {
      throwing();
    },
  };

  it('is not called if it is no function or a proxy', () => {
    expect(() => callBeanCode(5, bean)).toThrow('what should be called is no function');
    expect(() => callBeanCode(proxied, bean)).toThrow('[Proxy]');
    expect(() => getProperty(new Proxy(bean, { get: throwing }), 'value')).toThrow('[Proxy]');
  });

  it('is what reads a property', () => {
    expect(['value', 'got', 'missing', 'written'].map((key) => getProperty(bean, key))).toEqual([
      1,
      2,
      undefined,
      undefined,
    ]);
    expect(getProperty(Object.create(bean) as object, 'got')).toBe(2);
    expect(() => getProperty(bean, 'broken')).toThrow('no');
  });

  it('is toJSON if that is a function, and neither a getter nor a proxy', () => {
    const toJSON = (key: string) => `key ${key}`;
    const find = (object: object) => findToJson(object, new Context());
    expect([find({ toJSON }), find(Object.create({ toJSON }) as object)]).toEqual([toJSON, toJSON]);
    const getter = Object.defineProperty({}, 'toJSON', { get: throwing });
    expect([{}, { toJSON: 5 }, { toJSON: proxied }, getter].map(find)).toEqual(Array(4).fill(undefined));
  });
});

it('no getter is run if the runtime cannot report which promises it makes, as in Bun', async () => {
  vi.spyOn(promiseHooks, 'onInit').mockImplementation(throwing);
  vi.resetModules();
  const { inspect } = await import('../inspect.ts');
  const bean = {
    plain: 1,
    get rejecting() {
      return Promise.reject(new Error('it was run'));
    },
  };
  try {
    expect(inspect(bean).toString()).toBe('{"plain":1,"rejecting":"[Getter]"}');
  } finally {
    vi.restoreAllMocks();
    vi.resetModules();
  }
});
