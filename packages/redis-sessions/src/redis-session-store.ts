import { createHash } from 'node:crypto';
import {
  Batcher,
  DamagedSessionError,
  fromStorableText,
  type MergeOutcome,
  type SessionAttributes,
  type SessionLimits,
  type SessionRecord,
  type SessionStore,
  toStorableText,
} from '@jig/sessions';
import { errorMessage } from './errors.ts';
import { keySlot } from './key-slot.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisCommand, RedisPrimary } from './redis-topology.ts';

/** A script that Redis runs atomically. */
interface Script {
  readonly text: string;
  readonly sha1: string;
}

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/**
 * A session is a hash: the names of its attributes to `size:value`, the size being that of name and value in UTF-8 bytes. Beside them
 * stand two fields whose names no attribute can have, since a storable text that begins with a backslash goes on with a quote.
 */
const bytesField = '\\bytes';
const expiresField = '\\expires';

/** By the clock of Redis, which is the same for all instances. */
const expires = `
local time = redis.call('TIME')
local expires = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])`;

/**
 * KEYS: the sessions. ARGV: time to live, most attributes, most bytes, then for each session the number of its attributes, followed by
 * name and `size:value` of each. Gives the outcome for each session, which is an error if its key is not one of ours.
 */
const mergeScript = script(`${expires}
local function size(stored) return stored and tonumber(string.match(stored, '^%d+')) or 0 end
local function merge(key, first, last)
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
  if count > tonumber(ARGV[2]) then return 'too many attributes' end
  if bytes > tonumber(ARGV[3]) then return 'too many bytes' end
  redis.call('HSET', key, '\\\\bytes', bytes, '\\\\expires', expires, unpack(ARGV, first, last))
  redis.call('PEXPIREAT', key, expires)
  return 'stored'
end
local outcomes = {}
local at = 4
for index, key in ipairs(KEYS) do
  local last = at + ARGV[at] * 2
  outcomes[index] = merge(key, at + 1, last)
  at = last + 1
end
return outcomes`);

/** KEYS: the session. ARGV: time to live. */
const touchScript = script(`${expires}
if redis.call('PEXPIREAT', KEYS[1], expires) == 1 then redis.call('HSET', KEYS[1], '\\\\expires', expires) end
return 1`);

export interface RedisSessionStoreOptions {
  readonly prefix: string;
  readonly timeToLive: number;
}

interface Merge {
  readonly key: string;
  readonly values: readonly string[];
  readonly limits: SessionLimits;
}

/** One batch on the network and one in Redis. */
const concurrency = 2;
const maximumSize = 50;
/** How many keys are looked at for a count, before the rest is estimated. */
const countedKeys = 50_000;
const keysPerScan = 1000;

/** What the store needs of a connection. */
type Connection = Pick<RedisConnection, 'send' | 'write' | 'waitsForReplicas' | 'forPrimaries' | 'mode'>;

/** Sessions in Redis or Valkey: one hash each, one round trip for each call, which concurrent merges share. Redis itself expires them. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Connection;
  readonly #merges: Batcher<Merge, () => MergeOutcome>;
  readonly prefix: string;
  readonly timeToLive: number;

  constructor(redis: Connection, { prefix, timeToLive }: RedisSessionStoreOptions) {
    this.#redis = redis;
    this.prefix = prefix;
    this.timeToLive = timeToLive;
    const isCluster = redis.mode === 'cluster';
    this.#merges = new Batcher({
      run: async (merges) => (isCluster ? this.#mergeBySlot(merges) : asAnswers(await this.#mergeTogether(merges))),
      mayJoin,
      // A node that does not answer must not hold up the others.
      concurrency: isCluster ? Number.POSITIVE_INFINITY : concurrency,
      maximumSize,
    });
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const key = this.prefix + id;
    const fields = (await this.#redis.send(['HGETALL', key], key).catch(rethrow)) as string[];
    if (fields.length === 0) return undefined;
    try {
      return toRecord(fields);
    } catch (error) {
      throw damaged(error);
    }
  }

  async merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    const values = [String(entries.size)];
    let bytes = 0;
    for (const [name, value] of entries) {
      const size = Buffer.byteLength(name) + Buffer.byteLength(value);
      bytes += size;
      values.push(toStorableText(name), `${size}:${toStorableText(value)}`);
    }
    if (bytes > limits.maximumBytes) return 'too many bytes';
    return (await this.#merges.ask({ key: this.prefix + id, values, limits }))();
  }

  async touch(id: string): Promise<void> {
    const [key, values] = [this.prefix + id, [String(this.timeToLive)]];
    await runByDigest(touchScript, [key], values, (command) => this.#redis.send(command, key)).catch(rethrow);
  }

  async destroy(id: string): Promise<void> {
    await this.#redis.write(['DEL', this.prefix + id], this.prefix + id);
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
  async #mergeBySlot(merges: readonly Merge[]): Promise<readonly (() => MergeOutcome)[]> {
    const answers = new Map<Merge, () => MergeOutcome>();
    const mergeGroup = async (group: readonly Merge[]) => {
      const found = await this.#mergeInSlot(group).then(asAnswers, (error: unknown) => group.map(() => failing(error)));
      for (const [index, merge] of group.entries()) answers.set(merge, found[index] ?? failing('no answer'));
    };
    await Promise.all([...groupBySlot(merges).values()].map(mergeGroup));
    return merges.map((merge) => answers.get(merge) ?? failing('no answer'));
  }

  /** While a slot moves to another node, its keys may be on both, and a script can have only one of them. */
  async #mergeInSlot(merges: readonly Merge[]): Promise<readonly (MergeOutcome | Error)[]> {
    try {
      return await this.#mergeTogether(merges);
    } catch (error) {
      if (!errorMessage(error).startsWith('TRYAGAIN') || merges.length === 1) throw error;
      const outcomes: (MergeOutcome | Error)[] = [];
      for (const merge of merges) outcomes.push(...(await this.#mergeTogether([merge])));
      return outcomes;
    }
  }

  async #mergeTogether(merges: readonly Merge[]): Promise<readonly (MergeOutcome | Error)[]> {
    const { limits, key = '' } = merges[0] ?? {};
    const { maximumAttributes = 0, maximumBytes = 0 } = limits ?? {};
    const given = [this.timeToLive, maximumAttributes, maximumBytes].map(String);
    const keys = merges.map((merge) => merge.key);
    const values = merges.flatMap((merge) => merge.values);
    const write = (command: RedisCommand) => this.#redis.write(command, key);
    const run = this.#redis.waitsForReplicas ? runByText : runByDigest;
    return (await run(mergeScript, keys, [...given, ...values], write)) as (MergeOutcome | Error)[];
  }
}

type RunScript = (
  script: Script,
  keys: readonly string[],
  values: readonly string[],
  send: (command: RedisCommand) => Promise<unknown>,
) => Promise<unknown>;

const runByText: RunScript = ({ text }, keys, values, send) =>
  send(['EVAL', text, String(keys.length), ...keys, ...values]);

/** Redis knows the digest after the first call, until it restarts; the text is longer, but never unknown. */
const runByDigest: RunScript = async (script, keys, values, send) => {
  try {
    return await send(['EVALSHA', script.sha1, String(keys.length), ...keys, ...values]);
  } catch (error) {
    if (!errorMessage(error).startsWith('NOSCRIPT')) throw error;
    return runByText(script, keys, values, send);
  }
};

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

const asAnswers = (outcomes: readonly (MergeOutcome | Error)[]) =>
  outcomes.map((outcome) => (outcome instanceof Error ? failing(damaged(outcome)) : () => outcome));

function failing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** A script call has one pair of limits. */
function mayJoin({ limits }: Merge, [first]: readonly Merge[]): boolean {
  if (first === undefined) return true;
  const { maximumAttributes, maximumBytes } = first.limits;
  return limits.maximumAttributes === maximumAttributes && limits.maximumBytes === maximumBytes;
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
