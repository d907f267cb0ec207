import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { MergeOptions, SessionAttributes, SessionRecord, SessionStore } from './session-store.ts';

/**
 * Creates an empty store; `release` closes it. If you can set the store's clock, let `wait` set it forward by so many milliseconds, and
 * `Date.now()` too; otherwise the suite waits.
 */
export type SessionStoreFactory = () => Promise<{
  readonly store: SessionStore;
  readonly release?: () => Promise<void>;
  readonly wait?: Wait;
}>;

type Wait = (milliseconds: number) => Promise<unknown>;

export interface SessionStoreCase {
  readonly name: string;
  readonly run: (createStore: SessionStoreFactory) => Promise<void>;
}

const limits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };
const minutes = 60_000;
const timeToLive = 30 * minutes;
const options: MergeOptions = { limits, timeToLive };

/** Names and values that stores are known to lose or change. */
const awkwardTexts: Readonly<Record<string, string>> = {
  'a prototype key': '__proto__',
  'a constructor': 'constructor',
  'an inherited method': 'hasOwnProperty',
  'the word cookie': 'cookie',
  'the word save': 'save',
  'the word destroy': 'destroy',
  'the word id': 'id',
  'an integer': '42',
  empty: '',
  'white space': ' \t\r\n ',
  quotes: `"'\`\\`,
  'SQL wildcards': "%_'; DROP TABLE sessions; --",
  markup: '<b>&amp;</b>',
  'accents, composed': 'é',
  'accents, decomposed': 'é',
  'right to left': 'שלום مرحبا',
  astral: '🕰️𝒯',
  'a lone high surrogate': 'a\ud83d',
  'a lone low surrogate': '\ude00b',
  NUL: 'a\0b',
  'a byte order mark': '\ufeffx',
  'upper case': 'LANGUAGETAG',
  'lower case': 'languagetag',
  'a trailing space': 'languagetag ',
  '10 KB': 'ä'.repeat(5 * 1024),
};

function newId(): string {
  return randomBytes(32).toString('base64url');
}

function attributes(entries: Readonly<Record<string, string>>): SessionAttributes {
  return new Map(Object.entries(entries));
}

async function stored(store: SessionStore, id: string): Promise<SessionAttributes> {
  const record = await store.read(id);
  assert.ok(record, 'the session is there');
  return record.attributes;
}

async function eventually(wait: Wait, condition: () => Promise<boolean>, sentence: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, sentence);
    await wait(20);
  }
}

function storeCase(name: string, check: (store: SessionStore, wait: Wait) => Promise<void>): SessionStoreCase {
  return {
    name,
    async run(createStore) {
      const { store, release, wait = pause } = await createStore();
      try {
        await check(store, wait);
      } finally {
        await release?.();
      }
    },
  };
}

/** What every session store must do. Each case creates its own store, so they run in any order and with any test runner. */
export const sessionStoreCases: readonly SessionStoreCase[] = [
  storeCase('returns names and values unchanged, whatever they hold', async (store) => {
    const id = newId();
    const entries = new Map(Object.values(awkwardTexts).map((text) => [text, text]));
    assert.equal(await store.merge(id, entries, options), 'stored');
    assert.deepEqual(await stored(store, id), entries);
  }),

  storeCase('read returns undefined for an id that was never stored', async (store) => {
    assert.equal(await store.read(newId()), undefined);
    assert.equal(await store.read('__proto__'), undefined);
  }),

  storeCase('merge replaces the given attributes and keeps the others', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ languageTag: 'de', zoneID: 'UTC' }), options);
    await store.merge(id, attributes({ zoneID: 'Asia/Kolkata', other: 'x' }), options);
    assert.deepEqual(await stored(store, id), attributes({ languageTag: 'de', zoneID: 'Asia/Kolkata', other: 'x' }));
  }),

  storeCase('merge of nothing creates a session without attributes', async (store) => {
    const id = newId();
    assert.equal(await store.merge(id, new Map(), options), 'stored');
    assert.deepEqual(await stored(store, id), new Map());
  }),

  storeCase('parallel merges lose no key', async (store) => {
    const id = newId();
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const outcomes = await Promise.all(keys.map(async (key) => store.merge(id, attributes({ [key]: key }), options)));
    assert.deepEqual(new Set(outcomes), new Set(['stored']));
    assert.deepEqual(new Set((await stored(store, id)).keys()), new Set(keys));
  }),

  storeCase('parallel merges exceed no limit', async (store) => {
    const id = newId();
    const five = { ...options, limits: { ...limits, maximumAttributes: 5 } };
    const merges = Array.from({ length: 20 }, async (_, index) => store.merge(id, attributes({ [index]: '' }), five));
    const outcomes = await Promise.all(merges);
    assert.equal(outcomes.filter((outcome) => outcome === 'stored').length, 5);
    assert.equal((await stored(store, id)).size, 5);
  }),

  storeCase('a later merge does not change what was read before', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ zoneID: 'UTC' }), options);
    const before = await stored(store, id);
    await store.merge(id, attributes({ zoneID: 'GMT', other: 'x' }), options);
    assert.deepEqual(before, attributes({ zoneID: 'UTC' }));
  }),

  storeCase('keeps sessions apart', async (store) => {
    const [one, other] = [newId(), newId()];
    await store.merge(one, attributes({ owner: 'one' }), options);
    await store.merge(other, attributes({ owner: 'other' }), options);
    await store.destroy(one);
    assert.equal(await store.read(one), undefined);
    assert.deepEqual(await stored(store, other), attributes({ owner: 'other' }));
  }),

  storeCase('ids that differ only in case are different', async (store) => {
    const id = `${newId().slice(0, -1)}a`;
    await store.merge(id, attributes({ a: '1' }), options);
    assert.equal(await store.read(`${id.slice(0, -1)}A`), undefined);
  }),

  storeCase('accepts as many attributes as allowed, and nothing of a merge with one more', async (store) => {
    const id = newId();
    const hundred = new Map(Array.from({ length: 100 }, (_, index) => [`key ${index}`, 'old']));
    assert.equal(await store.merge(id, hundred, options), 'stored');
    const refused = await store.merge(id, attributes({ 'key 0': 'new', 'one more': '' }), options);
    assert.equal(refused, 'too many attributes');
    assert.deepEqual(await stored(store, id), hundred);
    assert.equal(await store.merge(id, attributes({ 'key 0': 'new' }), options), 'stored');
  }),

  storeCase('accepts as many UTF-8 bytes as allowed, and nothing of a merge with one more', async (store) => {
    const id = newId();
    const small = { ...options, limits: { ...limits, maximumBytes: 100 } };
    const full = attributes({ größe: `${'€'.repeat(30)}abc` });
    assert.equal(await store.merge(id, full, small), 'stored');
    assert.equal(await store.merge(id, attributes({ größe: '', x: 'y'.repeat(93) }), small), 'too many bytes');
    assert.deepEqual(await stored(store, id), full);
    assert.equal(await store.merge(id, attributes({ größe: '', x: 'y'.repeat(92) }), small), 'stored');
  }),

  storeCase('a refused first merge creates no session', async (store) => {
    const id = newId();
    assert.equal(await store.merge(id, attributes({ a: 'x'.repeat(65 * 1024) }), options), 'too many bytes');
    assert.equal(await store.read(id), undefined);
    assert.equal(await store.count(), 0);
  }),

  storeCase('expires is the time of the last merge plus the time to live', async (store) => {
    const id = newId();
    const before = Date.now();
    await store.merge(id, attributes({ a: '1' }), options);
    const after = Date.now();
    const { expires = 0, timeLeft = 30 * minutes } = (await store.read(id)) ?? {};
    assert.ok(Number.isInteger(expires), 'expires is a whole number of milliseconds');
    // A store may keep whole seconds, and its server's clock may differ a little from ours.
    assert.ok(expires >= before + 30 * minutes - 2000 && expires <= after + 30 * minutes + 2000, `${expires}`);
    assert.ok(timeLeft > 29 * minutes && timeLeft <= 30 * minutes + 2000, `${timeLeft}`);
  }),

  storeCase('a session ends after its time to live, and touch does not revive it', async (store, wait) => {
    const id = newId();
    const short = { limits, timeToLive: 1000 };
    await store.merge(id, attributes({ a: '1' }), short);
    await eventually(wait, async () => (await store.read(id)) === undefined, 'the session expires');
    await store.touch(id, timeToLive);
    assert.equal(await store.read(id), undefined);
    await eventually(wait, async () => (await store.count()) === 0, 'it is not counted');
    let began: number;
    let record: SessionRecord | undefined;
    do {
      began = Date.now();
      assert.equal(await store.merge(id, attributes({ b: '2' }), short), 'stored');
      record = await store.read(id);
      // On a stalled machine it may have ended again.
    } while (record === undefined && Date.now() - began >= 1000);
    assert.deepEqual(record?.attributes, attributes({ b: '2' }));
  }),

  storeCase('each session lives as long as its last merge or touch says', async (store, wait) => {
    const [one, other, brief] = [newId(), newId(), newId()];
    const lives = async (id: string, expected: number) => {
      const left = (((await store.read(id))?.expires ?? 0) - Date.now()) / minutes;
      assert.ok(Math.abs(left - expected) < 1, `${left} minutes in place of ${expected}`);
    };
    const merge = async (id: string, time: number) =>
      store.merge(id, attributes({ a: '1' }), { limits, timeToLive: time * minutes });
    // At the same time: a store may merge several at once.
    await Promise.all([merge(one, 10), merge(other, 60), merge(brief, 1 / 60)]);
    await lives(one, 10);
    await lives(other, 60);
    await store.touch(one, 20 * minutes);
    await lives(one, 20);
    await merge(one, 40);
    await lives(one, 40);
    await store.touch(other, 30 * minutes);
    await lives(other, 30);
    await merge(other, 10);
    await lives(other, 10);
    await eventually(
      wait,
      async () => (await store.read(brief)) === undefined,
      'the one that lives for a second expires',
    );
    await eventually(wait, async () => (await store.count()) === 2, 'the others do not');
  }),

  storeCase('touch and merge extend a session, read does not', async (store, wait) => {
    const id = newId();
    await store.merge(id, attributes({ a: '1' }), options);
    const expiry = async () => (await store.read(id))?.expires ?? 0;
    const first = await expiry();
    await wait(1100);
    assert.equal(await expiry(), first);
    await store.touch(id, timeToLive);
    const touched = await expiry();
    assert.ok(touched > first, 'touch extends');
    await wait(1100);
    await store.merge(id, attributes({ b: '2' }), options);
    assert.ok((await expiry()) > touched, 'merge extends');
    assert.deepEqual(await stored(store, id), attributes({ a: '1', b: '2' }));
  }),

  storeCase('touch and destroy create no session', async (store) => {
    const id = newId();
    await store.touch(id, timeToLive);
    await store.destroy(id);
    assert.equal(await store.read(id), undefined);
    assert.equal(await store.count(), 0);
  }),

  storeCase('nothing is stored or destroyed after the deadline', async (store) => {
    const [id, other] = [newId(), newId()];
    const soon = () => performance.now() + 10_000;
    assert.equal(await store.merge(id, attributes({ a: 'in time' }), { ...options, deadline: soon() }), 'stored');
    const passed = performance.now();
    await assert.rejects(async () => store.merge(id, attributes({ a: 'late' }), { ...options, deadline: passed }));
    await assert.rejects(async () => store.merge(other, attributes({ a: 'late' }), { ...options, deadline: passed }));
    await assert.rejects(async () => store.destroy(id, passed));
    assert.deepEqual(await stored(store, id), attributes({ a: 'in time' }));
    assert.equal(await store.read(other), undefined);
    await store.destroy(id, soon());
    assert.equal(await store.read(id), undefined);
  }),

  storeCase('merge after destroy creates a new session', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ old: '1' }), options);
    await store.destroy(id);
    await store.merge(id, attributes({ new: '2' }), options);
    assert.deepEqual(await stored(store, id), attributes({ new: '2' }));
  }),

  storeCase('count counts the sessions that have not ended', async (store) => {
    const ids = [newId(), newId(), newId()];
    assert.equal(await store.count(), 0);
    for (const id of ids) await store.merge(id, attributes({ a: '1' }), options);
    await store.merge(ids[0] ?? '', attributes({ b: '2' }), options);
    assert.equal(await store.count(), 3);
    await store.destroy(ids[0] ?? '');
    assert.equal(await store.count(), 2);
  }),
];
