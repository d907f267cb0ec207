import {
  DamagedSessionError,
  fromStorableText,
  type MergeOptions,
  type MergeOutcome,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
  toStorableText,
} from '@jig/sessions';
import { tooLate } from '@jig/sessions/internal';
import { errorMessage } from './errors.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisCommand } from './redis-node.ts';

/**
 * A session is a hash from names to `size:value`, with the size of name and value in UTF-8 bytes. Two more fields cannot collide with
 * attributes: escaped names begin with a backslash and a quote.
 */
const bytesField = '\\bytes';
const expiresField = '\\expires';

/** The time in milliseconds, by the clock of Redis, which all instances share. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function expiry(timeToLive) return string.format('%.0f', math.floor(now) + timeToLive) end`;

/**
 * KEYS: the session. ARGV: the deadline, then the arguments of the operation. Returns the time and the outcome; after the deadline, nothing is
 * stored.
 */
const inTime = (outcome: string) => `
return { string.format('%.3f', now), now < tonumber(ARGV[1]) and ${outcome} or 'late' }`;

/** ARGV: deadline, time to live, maximum of attributes, maximum of bytes, and name and `size:value` of each attribute. */
const mergeScript = `${now}
local function size(stored) return stored and tonumber(string.match(stored, '^%d+')) or 0 end
local function merge(key)
  local fields = { '\\\\bytes' }
  for index = 5, #ARGV, 2 do fields[#fields + 1] = ARGV[index] end
  local old = redis.call('HMGET', key, unpack(fields))
  local count = math.max(redis.call('HLEN', key) - 2, 0)
  local bytes = size(old[1])
  for index = 2, #fields do
    if not old[index] then count = count + 1 end
    bytes = bytes - size(old[index]) + size(ARGV[index * 2 + 2])
  end
  if count > tonumber(ARGV[3]) then return 'too many attributes' end
  if bytes > tonumber(ARGV[4]) then return 'too many bytes' end
  local expires = expiry(ARGV[2])
  redis.call('HSET', key, '\\\\bytes', bytes, '\\\\expires', expires, unpack(ARGV, 5))
  redis.call('PEXPIREAT', key, expires)
  return 'stored'
end${inTime('merge(KEYS[1])')}`;

const destroyScript = `${now}${inTime(`redis.call('DEL', KEYS[1])`)}`;

/** ARGV: time to live. */
const touchScript = `${now}
local expires = expiry(ARGV[1])
if redis.call('PEXPIREAT', KEYS[1], expires) == 1 then redis.call('HSET', KEYS[1], '\\\\expires', expires) end`;

export interface RedisSessionStoreOptions {
  /** The prefix of all keys. */
  readonly prefix: string;
}

/** How many keys are counted before the rest is estimated. */
const countedKeys = 50_000;
const keysPerScan = 1000;

/** Sessions in Redis or Valkey: one hash each, one round trip for each call. Redis itself expires them. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Pick<RedisConnection, 'send' | 'write' | 'forPrimaries'>;
  readonly prefix: string;

  constructor(redis: Pick<RedisConnection, 'send' | 'write' | 'forPrimaries'>, { prefix }: RedisSessionStoreOptions) {
    this.#redis = redis;
    this.prefix = prefix;
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
    const { limits, timeToLive, deadline } = options;
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    const values = [timeToLive, limits.maximumAttributes, limits.maximumBytes].map(String);
    let bytes = 0;
    for (const [name, value] of entries) {
      const size = Buffer.byteLength(name) + Buffer.byteLength(value);
      bytes += size;
      values.push(toStorableText(name), `${size}:${toStorableText(value)}`);
    }
    if (bytes > limits.maximumBytes) return 'too many bytes';
    return (await this.#runInTime(mergeScript, id, deadline, values)) as MergeOutcome;
  }

  async touch(id: string, timeToLive: number): Promise<void> {
    const key = this.prefix + id;
    await this.#redis.send(['EVAL', touchScript, '1', key, String(timeToLive)], key).catch(rethrow);
  }

  async destroy(id: string, deadline?: number): Promise<void> {
    await this.#runInTime(destroyScript, id, deadline);
  }

  /** Exact up to 50,000 keys on each node, an estimate above. */
  async count(): Promise<number> {
    const counts = await this.#redis.forPrimaries((send) => this.#countOn(send));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #countOn(send: (command: RedisCommand) => Promise<unknown>): Promise<number> {
    const pattern = `${this.prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
    const scan = (cursor: string) => send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(keysPerScan)]);
    const found = new Set<string>();
    let cursor = '0';
    for (let scanned = 0; scanned < countedKeys; scanned += keysPerScan) {
      const [next, keys] = (await scan(cursor)) as [string, string[]];
      for (const key of keys) found.add(key);
      if (next === '0') return found.size;
      cursor = next;
    }
    return Math.round((found.size / countedKeys) * Number(await send(['DBSIZE'])));
  }

  /** Sends the script's source each time, so that it is never unknown (`NOSCRIPT`). */
  async #runInTime(script: string, id: string, deadline = Number.POSITIVE_INFINITY, values: readonly string[] = []) {
    const key = this.prefix + id;
    const written = this.#redis.write((serverTime) => ['EVAL', script, '1', key, serverTime(deadline), ...values], key);
    const [, outcome] = (await written.catch(rethrow)) as [time: string, outcome: unknown];
    if (outcome === 'late') throw tooLate();
    return outcome;
  }
}

const damaged = (cause: unknown) =>
  new DamagedSessionError(`The key of a session holds something else: ${errorMessage(cause)}`, { cause });

/** A key of another type is a damaged session. */
function rethrow(error: unknown): never {
  throw errorMessage(error).includes('WRONGTYPE') ? damaged(error) : error;
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
