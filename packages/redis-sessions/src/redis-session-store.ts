import {
  fromStorableText,
  type MergeOutcome,
  mergeAttributes,
  reasonOf,
  type SessionAttributes,
  type SessionLimits,
  type SessionRecord,
  type SessionStore,
  toStorableText,
} from '@jig/application';
import type { RedisConnection } from './redis-connection.ts';
import { bytesField, expiresField, mergeScript, type Script, touchScript } from './scripts.ts';

export interface RedisSessionStoreOptions {
  readonly prefix: string;
  readonly timeToLive: number;
}

/** How many keys are looked at for a count, before the rest is estimated. */
const countedKeys = 50_000;
const keysPerScan = 1000;

/** Sessions in Redis or Valkey: one hash each, one round trip for each call; Redis itself forgets them. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Pick<RedisConnection, 'send'>;
  readonly prefix: string;
  readonly timeToLive: number;

  constructor(redis: Pick<RedisConnection, 'send'>, { prefix, timeToLive }: RedisSessionStoreOptions) {
    this.#redis = redis;
    this.prefix = prefix;
    this.timeToLive = timeToLive;
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const fields = (await this.#redis.send(['HGETALL', this.prefix + id])) as string[];
    if (fields.length === 0) return undefined;
    const attributes = new Map<string, string>();
    let expires = 0;
    for (let index = 0; index < fields.length; index += 2) {
      const [name = '', stored = ''] = [fields[index], fields[index + 1]];
      if (name === expiresField) expires = Number(stored);
      else if (name !== bytesField) attributes.set(fromStorableText(name), withoutSize(stored));
    }
    return { attributes, expires };
  }

  async merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    const alone = mergeAttributes(new Map(), entries, limits);
    if (alone.outcome !== 'stored') return alone.outcome;
    const { maximumAttributes, maximumBytes } = limits;
    const values = [...entries].flatMap(([name, value]) => [toStorableText(name), withSize(name, value)]);
    const given = [this.timeToLive, maximumAttributes, maximumBytes].map(String);
    return (await this.#run(mergeScript, this.prefix + id, [...given, ...values])) as MergeOutcome;
  }

  async touch(id: string): Promise<void> {
    await this.#run(touchScript, this.prefix + id, [String(this.timeToLive)]);
  }

  async destroy(id: string): Promise<void> {
    await this.#redis.send(['DEL', this.prefix + id]);
  }

  /** Exact up to a certain number of keys, estimated beyond it. */
  async count(): Promise<number> {
    const pattern = `${this.prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
    const found = new Set<string>();
    let cursor = '0';
    for (let looked = 0; looked < countedKeys; looked += keysPerScan) {
      const scan = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(keysPerScan)] as const;
      const [next, keys] = (await this.#redis.send([...scan])) as [string, string[]];
      for (const key of keys) found.add(key);
      cursor = next;
      if (cursor === '0') return found.size;
    }
    const all = Number(await this.#redis.send(['DBSIZE']));
    return Math.round((found.size / countedKeys) * all);
  }

  /** By its digest, which Redis knows after the first time, and until it is restarted. */
  async #run({ sha1, text }: Script, key: string, values: readonly string[]): Promise<unknown> {
    try {
      return await this.#redis.send(['EVALSHA', sha1, '1', key, ...values]);
    } catch (error) {
      if (!reasonOf(error).startsWith('NOSCRIPT')) throw error;
      return this.#redis.send(['EVAL', text, '1', key, ...values]);
    }
  }
}

function withSize(name: string, value: string): string {
  return `${Buffer.byteLength(name) + Buffer.byteLength(value)}:${toStorableText(value)}`;
}

function withoutSize(stored: string): string {
  return fromStorableText(stored.slice(stored.indexOf(':') + 1));
}
