import { createHash } from 'node:crypto';
import {
  Batcher,
  DamagedSessionError,
  fromStorableText,
  type MergeOptions,
  type MergeOutcome,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
  toStorableText,
} from '@jig/sessions';
import { type ServerClock, tooLate } from '@jig/sessions/internal';
import { errorMessage } from './errors.ts';
import { keySlot } from './key-slot.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisPrimary } from './redis-topology.ts';

/** A script that Redis runs atomically, by each command that runs it. */
interface Script {
  readonly EVAL: string;
  readonly EVALSHA: string;
}

function script(text: string): Script {
  return { EVAL: text, EVALSHA: createHash('sha1').update(text).digest('hex') };
}

/**
 * A session is a hash: the names of its attributes to `size:value`, the size being that of name and value in UTF-8 bytes. Beside them
 * stand two fields whose names no attribute can have, since a storable text that begins with a backslash goes on with a quote.
 */
const bytesField = '\\bytes';
const expiresField = '\\expires';

/** In milliseconds, by the clock of Redis, which is the same for all instances. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

/** When what lives for so many milliseconds expires. */
const expiry = `${now}
local function expiry(timeToLive) return string.format('%.0f', math.floor(now) + timeToLive) end`;

/**
 * KEYS: the sessions. ARGV, for each of them: its deadline, time to live, most attributes, most bytes, the number of attributes, and name
 * and `size:value` of each. Gives the time, and the outcome for each session: what was refused must not be stored when Redis comes to it
 * later. A key that is not one of ours is an error.
 */
const mergeScript = script(`${expiry}
local function size(stored) return stored and tonumber(string.match(stored, '^%d+')) or 0 end
local function merge(key, at, first, last)
  local fields = { '\\\\bytes' }
  for index = first, last, 2 do fields[#fields + 1] = ARGV[index] end
  local old = redis.pcall('HMGET', key, unpack(fields))
  if old.err then return old end
  local count = math.max(redis.call('HLEN', key) - 2, 0)
  local bytes = size(old[1])
  for index = 2, #fields do
    if not old[index] then count = count + 1 end
    bytes = bytes - size(old[index]) + size(ARGV[first + index * 2 - 3])
  end
  if count > tonumber(ARGV[at + 2]) then return 'too many attributes' end
  if bytes > tonumber(ARGV[at + 3]) then return 'too many bytes' end
  local expires = expiry(ARGV[at + 1])
  redis.call('HSET', key, '\\\\bytes', bytes, '\\\\expires', expires, unpack(ARGV, first, last))
  redis.call('PEXPIREAT', key, expires)
  return 'stored'
end
local outcomes = {}
local at = 1
for index, key in ipairs(KEYS) do
  local last = at + 4 + ARGV[at + 4] * 2
  outcomes[index] = now < tonumber(ARGV[at]) and merge(key, at, at + 5, last) or 'late'
  at = last + 1
end
return { string.format('%.3f', now), outcomes }`);

/** KEYS: the session. ARGV: its deadline. */
const destroyScript = script(`${now}
local outcome = 'late'
if now < tonumber(ARGV[1]) then outcome = redis.call('DEL', KEYS[1]) end
return { string.format('%.3f', now), { outcome } }`);

/** KEYS: the session. ARGV: time to live. */
const touchScript = script(`${expiry}
local expires = expiry(ARGV[1])
if redis.call('PEXPIREAT', KEYS[1], expires) == 1 then redis.call('HSET', KEYS[1], '\\\\expires', expires) end`);

export interface RedisSessionStoreOptions {
  /** What the names of all keys begin with. */
  readonly prefix: string;
}

interface Merge {
  readonly key: string;
  readonly deadline: number;
  /** What the script takes after the deadline. */
  readonly values: readonly string[];
}

/** As the scripts tell it; an error is that of a damaged session. */
type Outcome = MergeOutcome | 'late' | Error;
type Answer = MergeOutcome | Error;

/** One batch on the network and one in Redis. */
const concurrency = 2;
const maximumSize = 50;
/** How many keys are looked at for a count, before the rest is estimated. */
const countedKeys = 50_000;
const keysPerScan = 1000;

/** What the store needs of a connection. */
type Connection = Pick<
  RedisConnection,
  'send' | 'write' | 'waitsForReplicas' | 'forPrimaries' | 'mode' | 'commandTimeout'
>;

/** Sessions in Redis or Valkey: one hash each, one round trip for each call, which concurrent merges share. Redis itself expires them. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Connection;
  readonly #merges: Batcher<Merge, MergeOutcome>;
  readonly prefix: string;

  constructor(redis: Connection, { prefix }: RedisSessionStoreOptions) {
    this.#redis = redis;
    this.prefix = prefix;
    const isCluster = redis.mode === 'cluster';
    this.#merges = new Batcher({
      run: (merges) => (isCluster ? this.#mergeBySlot(merges) : this.#mergeTogether(merges)),
      // A node that does not answer must not hold up the others.
      concurrency: isCluster ? Number.POSITIVE_INFINITY : concurrency,
      maximumSize,
    });
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const key = this.prefix + id;
    // In one round trip.
    const asked = [this.#redis.send(['HGETALL', key], key), this.#redis.send(['PTTL', key], key)];
    const [fields, timeLeft] = (await Promise.all(asked).catch(rethrow)) as [string[], number];
    if (fields.length === 0) return undefined;
    try {
      return { ...toRecord(fields), timeLeft };
    } catch (error) {
      throw damaged(error);
    }
  }

  async merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    const { limits, timeToLive, deadline = Number.POSITIVE_INFINITY } = options;
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    const values = [timeToLive, limits.maximumAttributes, limits.maximumBytes, entries.size].map(String);
    let bytes = 0;
    for (const [name, value] of entries) {
      const size = Buffer.byteLength(name) + Buffer.byteLength(value);
      bytes += size;
      values.push(toStorableText(name), `${size}:${toStorableText(value)}`);
    }
    if (bytes > limits.maximumBytes) return 'too many bytes';
    return this.#merges.ask({ key: this.prefix + id, values, deadline }, deadline);
  }

  async touch(id: string, timeToLive: number): Promise<void> {
    const key = this.prefix + id;
    const run = (by: 'EVALSHA' | 'EVAL') => this.#redis.send([by, touchScript[by], '1', key, String(timeToLive)], key);
    await run('EVALSHA').catch(orByText(run)).catch(rethrow);
  }

  async destroy(id: string, deadline = Number.POSITIVE_INFINITY): Promise<void> {
    const [failure] = await this.#runInTime(destroyScript, [this.prefix + id], (serverTime) => [serverTime(deadline)]);
    if (failure instanceof Error) throw failure;
  }

  /** Exact up to a certain number of keys on each node, estimated beyond it. */
  async count(): Promise<number> {
    const counts = await this.#redis.forPrimaries((primary) => this.#countOn(primary));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #countOn({ send }: RedisPrimary): Promise<number> {
    const pattern = `${this.prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
    const found = new Set<string>();
    let cursor = '0';
    for (let looked = 0; looked < countedKeys; looked += keysPerScan) {
      const [next, keys] = (await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(keysPerScan)])) as [
        string,
        string[],
      ];
      for (const key of keys) found.add(key);
      cursor = next;
      if (cursor === '0') return found.size;
    }
    const all = Number(await send(['DBSIZE']));
    return Math.round((found.size / countedKeys) * all);
  }

  /**
   * In a cluster, a script may have only keys of one slot; each goes to its node in the same turn of the event loop. What fails on one
   * node is no failure of the others.
   */
  async #mergeBySlot(merges: readonly Merge[]): Promise<readonly Answer[]> {
    const answers = new Map<Merge, Answer>();
    const mergeGroup = async (group: readonly Merge[]) => {
      const found = await this.#mergeInSlot(group).catch((error: Error) => group.map(() => error));
      for (const [index, merge] of group.entries()) answers.set(merge, found[index] as Answer);
    };
    await Promise.all([...groupBySlot(merges).values()].map(mergeGroup));
    return merges.map((merge) => answers.get(merge) as Answer);
  }

  /** While a slot moves to another node, its keys may be on both, and a script can have only one of them. */
  async #mergeInSlot(merges: readonly Merge[]): Promise<readonly Answer[]> {
    try {
      return await this.#mergeTogether(merges);
    } catch (error) {
      if (!errorMessage(error).startsWith('TRYAGAIN') || merges.length === 1) throw error;
      const outcomes: Answer[] = [];
      for (const merge of merges) outcomes.push(...(await this.#mergeTogether([merge])));
      return outcomes;
    }
  }

  #mergeTogether(merges: readonly Merge[]): Promise<readonly Answer[]> {
    const keys = merges.map(({ key }) => key);
    return this.#runInTime(mergeScript, keys, (serverTime) =>
      merges.flatMap(({ deadline, values }) => [serverTime(deadline), ...values]),
    );
  }

  /** Runs a script that knows its deadlines, which are also those of the command: what timed out was refused. */
  async #runInTime(
    script: Script,
    keys: readonly string[],
    values: (serverTime: (deadline: number) => string) => readonly string[],
  ): Promise<readonly Answer[]> {
    const latest = performance.now() + this.#redis.commandTimeout;
    const last: { clock?: ServerClock; sent: number } = { sent: 0 };
    const run = (by: 'EVALSHA' | 'EVAL') =>
      this.#redis.write((server) => {
        Object.assign(last, { clock: server, sent: performance.now() });
        const serverTime = (deadline: number) => server.at(Math.min(deadline, latest)).toFixed(3);
        return [by, script[by], String(keys.length), ...keys, ...values(serverTime)];
      }, keys[0] ?? '');
    // A text is longer, but never unknown, and a wait for replicas would follow the failure too.
    const reply = this.#redis.waitsForReplicas ? run('EVAL') : run('EVALSHA').catch(orByText(run));
    const [shown, outcomes] = (await reply) as [string, Outcome[]];
    last.clock?.learn(Number(shown), last.sent, performance.now());
    return outcomes.map((outcome) => {
      if (outcome instanceof Error) return damaged(outcome);
      return outcome === 'late' ? tooLate() : outcome;
    });
  }
}

/** Redis knows the digest of a script after its first call, until it restarts. */
function orByText(run: (by: 'EVAL') => Promise<unknown>): (error: unknown) => Promise<unknown> {
  return async (error) => {
    if (!errorMessage(error).startsWith('NOSCRIPT')) throw error;
    return run('EVAL');
  };
}

function groupBySlot(merges: readonly Merge[]): ReadonlyMap<number, readonly Merge[]> {
  const groups = new Map<number, Merge[]>();
  for (const merge of merges) {
    const slot = keySlot(merge.key);
    const group = groups.get(slot);
    if (group === undefined) groups.set(slot, [merge]);
    else group.push(merge);
  }
  return groups;
}

/** Redis answers, but the key holds something else than a session of ours. */
const isDamaged = (error: unknown) => errorMessage(error).includes('WRONGTYPE');

const damaged = (cause: unknown) =>
  new DamagedSessionError(`The key of a session holds something else: ${errorMessage(cause)}`, { cause });

function rethrow(error: unknown): never {
  throw isDamaged(error) ? damaged(error) : error;
}

function toRecord(fields: readonly string[]): SessionRecord {
  const attributes = new Map<string, string>();
  let expires = 0;
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', stored = ''] = [fields[index], fields[index + 1]];
    if (name === expiresField) expires = Number(stored);
    else if (name !== bytesField) attributes.set(fromStorableText(name), withoutSize(stored));
  }
  return { attributes, expires };
}

function withoutSize(stored: string): string {
  return fromStorableText(stored.slice(stored.indexOf(':') + 1));
}
