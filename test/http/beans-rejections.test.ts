import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

// Vitest fails the run at a rejection that nobody handles, which would end an application.

const counts = { made: 0, waiting: 0 };
const now = () => {
  counts.made++;
  return Promise.reject(new Error('at once'));
};
const later = async () => {
  counts.made++;
  counts.waiting++;
  await wait(10);
  counts.waiting--;
  throw new Error('later');
};
class Task extends Promise<never> {}
const task = () => {
  counts.made++;
  return new Task((_, reject) => reject(new Error('task')));
};

/** Code that makes promises that fail, at once or later, wherever a document may or may not reach. */
class Parts {
  get object() {
    return { a: { b: { c: now(), d: later() } } };
  }
  get map() {
    return new Map<unknown, unknown>([
      ['a', new Map([['b', now()]])],
      [{ a: 1 }, now()],
      [[later()], 1],
    ]);
  }
  get set() {
    return new Set([now(), new Set([later(), [task()]])]);
  }
  get forgotten() {
    void [now(), later(), task()];
    return 'nothing of it is to be seen';
  }
  get thrown() {
    void now();
    throw Object.assign(new Error('thrown'), { promise: later() });
  }
}

function* list() {
  try {
    yield { a: now() };
    yield [later()];
    yield task();
  } finally {
    void now();
  }
}
function* endless() {
  for (;;) yield { text: 'x'.repeat(1000), made: [now()] };
}

const beans = {
  all: {
    parts: new Parts(),
    json: { toJSON: () => ({ list: [now(), { deep: later() }], more: task() }) },
    list: { length: 3, [Symbol.iterator]: list },
  },
  endless: { length: 1e9, [Symbol.iterator]: endless },
};

/** Waits until everything that was going to fail has failed. */
const allHaveFailed = () => expect.poll(() => counts.waiting).toBe(0);

describe('a bean whose code creates promises that reject', () => {
  let served: ServedBeans;
  beforeAll(async () => {
    served = await serveBeans(beans);
  });
  afterAll(() => served.close());

  it.each([
    'all.json',
    'all.xml',
    'all.xml?depth=2',
    'all.json?depth=3&pretty',
    'all.xml?limit=2',
    'all.json?at=/parts/object/a',
    'all.json?at=/list/1',
    'endless.json?limit=2000',
    'endless.xml?limit=2000',
  ])('is shown as %s', async (path) => {
    const before = counts.made;
    const answer = await fetch(`${served.url}/jig/bean/${path}`);
    expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
    expect(counts.made).toBeGreaterThan(before);
    await allHaveFailed();
  });

  it.each(['endless.json', 'endless.xml', 'endless.json?pretty'])(
    'may lose its client in the middle: %s',
    async (path) => {
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
      socket.write(`GET /jig/bean/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
      await allHaveFailed();
    },
  );
});
