import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionAttributes, SessionLimits, SessionRecord, SessionStore } from './session-store.ts';

/** Makes a store that holds no session; `release` gives back what it took. */
export type SessionStoreFactory = (options: {
  readonly timeToLive: number;
}) => Promise<{ readonly store: SessionStore; release?(): Promise<void> }>;

export interface SessionStoreCase {
  readonly name: string;
  readonly run: (createStore: SessionStoreFactory) => Promise<void>;
}

const limits: SessionLimits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };
const minutes = 60_000;

/** Names and values that stores are known to lose, bend or trip over. */
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

async function eventually(condition: () => Promise<boolean>, sentence: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, sentence);
    await pause(20);
  }
}

function storeCase(
  name: string,
  check: (store: SessionStore) => Promise<void>,
  { timeToLive = 30 * minutes } = {},
): SessionStoreCase {
  return {
    name,
    async run(createStore) {
      const created = await createStore({ timeToLive });
      try {
        await check(created.store);
      } finally {
        await created.release?.();
      }
    },
  };
}

const roundTrips = Object.entries(awkwardTexts).map(([description, text]) =>
  storeCase(`gives back as it came: ${description}`, async (store) => {
    const id = newId();
    const entries = new Map([
      [text, 'as a name'],
      ['as a value', text],
    ]);
    assert.equal(await store.merge(id, entries, limits), 'stored');
    assert.deepEqual(await stored(store, id), entries);
  }),
);

/** What every session store must do. Each case makes its own store, so that they can run in any order, with any test runner. */
export const sessionStoreCases: readonly SessionStoreCase[] = [
  ...roundTrips,

  storeCase('gives back all awkward texts from one session', async (store) => {
    const id = newId();
    const entries = new Map(Object.values(awkwardTexts).map((text, index) => [text, `${index}`]));
    assert.equal(await store.merge(id, entries, limits), 'stored');
    assert.deepEqual(await stored(store, id), entries);
  }),

  storeCase('knows nothing of an id that was never stored', async (store) => {
    assert.equal(await store.read(newId()), undefined);
    assert.equal(await store.read('__proto__'), undefined);
  }),

  storeCase('keeps the other attributes and replaces the given ones', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ languageTag: 'de', zoneID: 'UTC' }), limits);
    await store.merge(id, attributes({ zoneID: 'Asia/Kolkata', other: 'x' }), limits);
    assert.deepEqual(await stored(store, id), attributes({ languageTag: 'de', zoneID: 'Asia/Kolkata', other: 'x' }));
  }),

  storeCase('makes a session without attributes when the merge is empty', async (store) => {
    const id = newId();
    assert.equal(await store.merge(id, new Map(), limits), 'stored');
    assert.deepEqual(await stored(store, id), new Map());
  }),

  storeCase('loses no key of parallel merges', async (store) => {
    const id = newId();
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const outcomes = await Promise.all(keys.map(async (key) => store.merge(id, attributes({ [key]: key }), limits)));
    assert.deepEqual(new Set(outcomes), new Set(['stored']));
    assert.deepEqual(new Set((await stored(store, id)).keys()), new Set(keys));
  }),

  storeCase('lets parallel merges pass no limit', async (store) => {
    const id = newId();
    const few = { ...limits, maximumAttributes: 5 };
    const merges = Array.from({ length: 20 }, async (_, index) => store.merge(id, attributes({ [index]: '' }), few));
    const outcomes = await Promise.all(merges);
    assert.equal(outcomes.filter((outcome) => outcome === 'stored').length, 5);
    assert.equal((await stored(store, id)).size, 5);
  }),

  storeCase('does not show later merges in what was read before', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ zoneID: 'UTC' }), limits);
    const before = await stored(store, id);
    await store.merge(id, attributes({ zoneID: 'GMT', other: 'x' }), limits);
    assert.deepEqual(before, attributes({ zoneID: 'UTC' }));
  }),

  storeCase('keeps sessions apart', async (store) => {
    const [one, other] = [newId(), newId()];
    await store.merge(one, attributes({ owner: 'one' }), limits);
    await store.merge(other, attributes({ owner: 'other' }), limits);
    await store.destroy(one);
    assert.equal(await store.read(one), undefined);
    assert.deepEqual(await stored(store, other), attributes({ owner: 'other' }));
  }),

  storeCase('tells ids apart that differ in case only', async (store) => {
    const id = `${newId().slice(0, -1)}a`;
    await store.merge(id, attributes({ a: '1' }), limits);
    assert.equal(await store.read(`${id.slice(0, -1)}A`), undefined);
  }),

  storeCase('takes exactly as many attributes as allowed, and nothing of a merge with one more', async (store) => {
    const id = newId();
    const hundred = new Map(Array.from({ length: 100 }, (_, index) => [`key ${index}`, 'old']));
    assert.equal(await store.merge(id, hundred, limits), 'stored');
    const refused = await store.merge(id, attributes({ 'key 0': 'new', 'one more': '' }), limits);
    assert.equal(refused, 'too many attributes');
    assert.deepEqual(await stored(store, id), hundred);
    assert.equal(await store.merge(id, attributes({ 'key 0': 'new' }), limits), 'stored');
  }),

  storeCase('takes exactly as many UTF-8 bytes as allowed, and nothing of a merge with one more', async (store) => {
    const id = newId();
    const few = { ...limits, maximumBytes: 100 };
    const full = attributes({ größe: `${'€'.repeat(30)}abc` });
    assert.equal(await store.merge(id, full, few), 'stored');
    assert.equal(await store.merge(id, attributes({ größe: '', x: 'y'.repeat(93) }), few), 'too many bytes');
    assert.deepEqual(await stored(store, id), full);
    assert.equal(await store.merge(id, attributes({ größe: '', x: 'y'.repeat(92) }), few), 'stored');
  }),

  storeCase('makes no session when its first merge is refused', async (store) => {
    const id = newId();
    assert.equal(await store.merge(id, attributes({ a: 'x'.repeat(65 * 1024) }), limits), 'too many bytes');
    assert.equal(await store.read(id), undefined);
    assert.equal(await store.count(), 0);
  }),

  storeCase('says when a session expires, by the time of the last merge', async (store) => {
    const id = newId();
    const before = Date.now();
    await store.merge(id, attributes({ a: '1' }), limits);
    const after = Date.now();
    const { expires = 0, timeLeft = 30 * minutes } = (await store.read(id)) ?? {};
    assert.ok(Number.isInteger(expires), 'expires is a whole number of milliseconds');
    // A store may keep whole seconds, and its server's clock may differ a little from ours.
    assert.ok(expires >= before + 30 * minutes - 2000 && expires <= after + 30 * minutes + 2000, `${expires}`);
    assert.ok(timeLeft > 29 * minutes && timeLeft <= 30 * minutes + 2000, `${timeLeft}`);
  }),

  storeCase(
    'forgets a session after its time to live',
    async (store) => {
      const id = newId();
      await store.merge(id, attributes({ a: '1' }), limits);
      await eventually(async () => (await store.read(id)) === undefined, 'the session expires');
      await eventually(async () => (await store.count()) === 0, 'it is not counted');
      let began: number;
      let record: SessionRecord | undefined;
      do {
        began = Date.now();
        assert.equal(await store.merge(id, attributes({ b: '2' }), limits), 'stored');
        record = await store.read(id);
        // Where the machine stalled for longer than it lives, it may be gone again.
      } while (record === undefined && Date.now() - began >= 1000);
      assert.deepEqual(record?.attributes, attributes({ b: '2' }));
    },
    { timeToLive: 1000 },
  ),

  storeCase('prolongs by touch and by merge, not by read', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ a: '1' }), limits);
    const expiry = async () => (await store.read(id))?.expires ?? 0;
    const first = await expiry();
    await pause(1100);
    assert.equal(await expiry(), first);
    await store.touch(id);
    const touched = await expiry();
    assert.ok(touched > first, 'touch prolongs');
    await pause(1100);
    await store.merge(id, attributes({ b: '2' }), limits);
    assert.ok((await expiry()) > touched, 'merge prolongs');
    assert.deepEqual(await stored(store, id), attributes({ a: '1', b: '2' }));
  }),

  storeCase('makes no session by touch or destroy', async (store) => {
    const id = newId();
    await store.touch(id);
    await store.destroy(id);
    assert.equal(await store.read(id), undefined);
    assert.equal(await store.count(), 0);
  }),

  storeCase('stores and destroys nothing when the deadline has passed, by performance.now()', async (store) => {
    const [id, other] = [newId(), newId()];
    const soon = () => performance.now() + 10_000;
    assert.equal(await store.merge(id, attributes({ a: 'in time' }), limits, soon()), 'stored');
    const passed = performance.now();
    await assert.rejects(async () => store.merge(id, attributes({ a: 'late' }), limits, passed));
    await assert.rejects(async () => store.merge(other, attributes({ a: 'late' }), limits, passed));
    await assert.rejects(async () => store.destroy(id, passed));
    assert.deepEqual(await stored(store, id), attributes({ a: 'in time' }));
    assert.equal(await store.read(other), undefined);
    await store.destroy(id, soon());
    assert.equal(await store.read(id), undefined);
  }),

  storeCase('begins anew after destroy', async (store) => {
    const id = newId();
    await store.merge(id, attributes({ old: '1' }), limits);
    await store.destroy(id);
    await store.merge(id, attributes({ new: '2' }), limits);
    assert.deepEqual(await stored(store, id), attributes({ new: '2' }));
  }),

  storeCase('counts the sessions that live', async (store) => {
    const ids = [newId(), newId(), newId()];
    assert.equal(await store.count(), 0);
    for (const id of ids) await store.merge(id, attributes({ a: '1' }), limits);
    await store.merge(ids[0] ?? '', attributes({ b: '2' }), limits);
    assert.equal(await store.count(), 3);
    await store.destroy(ids[0] ?? '');
    assert.equal(await store.count(), 2);
  }),
];
