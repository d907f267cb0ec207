import { setImmediate as nextTurn } from 'node:timers/promises';
import { promiseHooks } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
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
  it('is handled when it was created during an inspection, at any depth, also when the inspection throws', async () => {
    const unhandled = await unhandledDuring(() => {
      const rejecting = () => {
        void Promise.reject(new Error('a'));
        return 5;
      };
      expect(handlingCreatedPromises(() => handlingCreatedPromises(rejecting))).toBe(5);
      expect(() =>
        handlingCreatedPromises(() => {
          void Promise.reject(new Error('b'));
          return throwing();
        }),
      ).toThrow('no');
    });
    expect(unhandled).toEqual([]);
  });

  it('is not handled when it was created before, after or between two inspections', async () => {
    const unhandled = await unhandledDuring(() => {
      void Promise.reject('before');
      handlingCreatedPromises(() => 1);
      void Promise.reject('between');
      handlingCreatedPromises(() => 1);
      void Promise.reject('after');
    });
    expect(unhandled).toEqual(['before', 'between', 'after']);
    expect(await unhandledDuring(() => void Promise.reject('later'))).toEqual(['later']);
  });

  it('keeps the constructor that it has', async () => {
    class Task extends Promise<unknown> {}
    const made: Promise<unknown>[] = [];
    const unhandled = await unhandledDuring(() => {
      handlingCreatedPromises(() => {
        made.push(
          Task.reject('task'),
          Object.assign(Promise.reject('own'), { constructor: 5 }),
          Promise.reject('plain'),
        );
      });
    });
    expect(unhandled).toEqual([]);
    expect(made.map((promise) => Object.hasOwn(promise, 'constructor'))).toEqual([false, true, false]);
    expect(made[1]).toHaveProperty('constructor', 5);
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

  it('is rejected when it is not a function, and not called when it is a proxy', () => {
    expect(() => callBeanCode(5, bean)).toThrow('what should be called is no function');
    expect(() => callBeanCode(proxied, bean)).toThrow('[Proxy]');
    expect(() => getProperty(new Proxy(bean, { get: throwing }), 'value')).toThrow('[Proxy]');
  });

  it('is what reads a property', () => {
    expect([getProperty(bean, 'value'), getProperty(bean, 'got'), getProperty(bean, 'missing')]).toEqual([
      1,
      2,
      undefined,
    ]);
    expect([getProperty(Object.create(bean) as object, 'got'), getProperty(bean, 'written')]).toEqual([2, undefined]);
    expect(() => getProperty(bean, 'broken')).toThrow('no');
  });

  it('is toJSON, when it is a function and neither a getter nor a proxy', () => {
    const toJSON = (key: string) => `key ${key}`;
    const find = (object: object) => findToJson(object, new Context());
    expect(find({ toJSON })).toBe(toJSON);
    expect(find(Object.create({ toJSON }) as object)).toBe(toJSON);
    expect([find({}), find({ toJSON: 5 }), find({ toJSON: proxied })]).toEqual([undefined, undefined, undefined]);
    expect(find(Object.defineProperty({}, 'toJSON', { get: throwing }))).toBeUndefined();
  });
});

it('no getter is run when the runtime has no promise hooks, as in Bun', async () => {
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
