import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';

/** Beans whose code makes promises that fail, at once or later, wherever a document may or may not reach. */
const features = `[{
  name: 'failing parts',
  register(host) {
    const counts = { made: 0, waiting: 0 };
    const now = () => { counts.made++; return Promise.reject(new Error('at once')); };
    const later = async () => {
      counts.made++;
      counts.waiting++;
      await new Promise((resolve) => setTimeout(resolve, 10));
      counts.waiting--;
      throw new Error('later');
    };
    class Task extends Promise {}
    const task = () => new Task((_, reject) => { counts.made++; reject(new Error('task')); });
    class Parts {
      get object() { return { a: { b: { c: now(), d: later() } } }; }
      get promise() { return now(); }
      get array() { return [1, [now(), [later(), [task()]]]]; }
      get map() { return new Map([['a', new Map([['b', now()], ['c', later()]])]]); }
      get keys() { return new Map([[{ a: 1 }, now()], [[later()], 1]]); }
      get set() { return new Set([now(), new Set([later()])]); }
      get getters() { return { get inner() { return { get most() { return [now(), later()]; } }; } }; }
      get error() { return new Error('shown', { cause: { more: [now(), later()] } }); }
      get forgotten() { now(); later(); task(); return 'nothing of it is to be seen'; }
      get thrown() { now(); throw Object.assign(new Error('thrown'), { promise: later() }); }
      get password() { return now(); }
    }
    const own = { get object() { return { a: [now(), later()] }; }, get last() { now(); return later(); } };
    const json = { a: 1, toJSON() { return { list: [now(), { deep: later() }], more: task() }; } };
    const list = { length: 3, *[Symbol.iterator]() { try { yield { a: now() }; yield [later()]; yield task(); } finally { now(); } } };
    const endless = { length: 1e9, *[Symbol.iterator]() { for (;;) yield { text: 'x'.repeat(1000), made: [now()] }; } };
    const all = { parts: new Parts(), same: [new Parts(), new Parts(), new Parts(), new Parts()], own, json, list };
    host.define('all', { type: 'All', create: () => all });
    host.define('endless', { type: 'Endless', create: () => ({ endless }) });
    host.define('counts', { type: 'Counts', create: () => counts });
  },
}]`;

let application: MadeApplication;
let service: RunningService;

beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'], main: mainWith(features) });
  service = await startService({ main: application.main, workingDirectory: application.folder });
});

// In every order of the tests, the application has looked at failing promises by now.
afterAll(async () => {
  const exitCode = await service.stop();
  await application.remove();
  expect({ exitCode, output: service.output() }).toEqual({
    exitCode: 0,
    output: expect.not.stringMatching(/unhandled|fatal/i) as unknown,
  });
});

interface Counts {
  readonly made: number;
  readonly waiting: number;
}

const counts = async () => (await (await fetch(`${service.url}/jig/bean/counts.json`)).json()) as Counts;

/** Answers once everything that was going to fail has failed; throws when the process has ended. */
async function allHaveFailed(): Promise<Counts> {
  for (;;) {
    const now = await counts();
    if (now.waiting === 0) return now;
    await wait(5);
  }
}

describe('a bean whose code creates promises that reject', () => {
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
  ])('is shown as %s, and the application continues', async (path) => {
    const before = await allHaveFailed();
    for (let round = 0; round < 5; round++) {
      const answer = await fetch(`${service.url}/jig/bean/${path}`);
      expect(answer.status).toBe(200);
      await answer.text();
    }
    expect((await allHaveFailed()).made).toBeGreaterThan(before.made);
    expect(service.process.exitCode).toBe(null);
  });

  it('may lose its client in the middle, and the application continues', async () => {
    for (const path of ['endless.json', 'endless.xml', 'endless.json?pretty']) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(`GET /jig/bean/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
      await allHaveFailed();
    }
    expect(service.process.exitCode).toBe(null);
  });
});
