import { setTimeout as sleep } from 'node:timers/promises';
import { isStale, notReady } from './errors.ts';
import { formatHost, type HostAndPort } from './redis-address.ts';
import type {
  AcknowledgedReply,
  RedisCommand,
  RedisPrimary,
  RedisTopology,
  TimedCommand,
  TopologyOptions,
} from './redis-topology.ts';
import { Sentinels } from './sentinels.ts';
import { SingleRedis } from './single-redis.ts';

/** How long to wait before the sentinels are asked again while they change the primary, in milliseconds: first, and then at most. */
const firstPause = 50;
const maximumPause = 500;
/** How often they are asked at most because commands fail. */
const suspectInterval = 250;
const roleTimeout = 1000;
/** Thrown before anything is sent. */
const changed = new Error('the primary is being changed');

/**
 * The primary that the sentinels name. From the moment that one of them begins a failover, commands wait until they name a primary and it
 * says that it is one: what the old one takes meanwhile would be lost, and what others have stored on the new one is not there.
 */
export class SentinelRedis implements RedisTopology {
  readonly #options: TopologyOptions;
  readonly #sentinels: Sentinels;
  #primary: SingleRedis | undefined;
  /** As long as it is there, commands wait for it. */
  #change: Promise<void> | undefined;
  /** Counts what was heard, since an answer may be older than the news. */
  #news = 0;
  #asked = Number.NEGATIVE_INFINITY;
  #isOpen = false;
  #isAway = false;

  constructor(options: TopologyOptions) {
    this.#options = options;
    this.#sentinels = new Sentinels({
      address: options.address,
      connectTimeout: options.connectTimeout,
      onFailover: () => {
        this.#leave('the sentinels promote another primary');
        this.#look();
      },
      onNews: () => this.#look(),
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#primary?.isReady ?? false;
  }

  async connect(): Promise<void> {
    this.#isOpen = true;
    const { host } = await this.#sentinels.ask();
    const primary = this.#client(host);
    await primary.connect();
    this.#primary = primary;
    if (!(await isPrimary(primary))) throw notReady(`Redis at ${formatHost(host)} is not a primary yet.`);
    this.#options.events.back(this.#name);
  }

  destroy(): void {
    this.#isOpen = false;
    this.#sentinels.destroy();
    this.#primary?.destroy();
  }

  send(command: RedisCommand): Promise<unknown> {
    return this.#ask((primary) => primary.send(command));
  }

  write(command: TimedCommand): Promise<AcknowledgedReply> {
    const unlessChanged: TimedCommand = (clock) => {
      if (this.#change !== undefined) throw changed;
      return command(clock);
    };
    return this.#ask((primary) => primary.write(unlessChanged));
  }

  primaries(): readonly RedisPrimary[] {
    return this.#primary?.primaries() ?? [];
  }

  suspect(): void {
    if (this.#change !== undefined || performance.now() - this.#asked < suspectInterval) return;
    this.#look();
  }

  get #name(): string {
    return this.#options.address.primaryName;
  }

  async #ask<Answer>(ask: (primary: SingleRedis) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      while (this.#change !== undefined) await this.#change;
      if (this.#primary === undefined) throw notReady('No primary is known yet.');
      try {
        return await ask(this.#primary);
      } catch (error) {
        if (isStale(error)) this.suspect();
        if (error !== changed) throw error;
      }
    }
  }

  #look(): void {
    this.#news += 1;
    if (!this.#isOpen || this.#primary === undefined || this.#change !== undefined) return;
    this.#change = this.#find().finally(() => {
      this.#change = undefined;
    });
  }

  /** Until the sentinels name a primary that can be used. If they cannot be reached, nobody knows of another than this one. */
  async #find(): Promise<void> {
    for (let pause = firstPause; this.#isOpen; pause = Math.min(2 * pause, maximumPause)) {
      const heard = this.#news;
      this.#asked = performance.now();
      const named = await this.#sentinels.ask().catch(() => undefined);
      const isFound = named === undefined || (!named.isFailingOver && (await this.#use(named.host)));
      if (!isFound) await sleep(pause, undefined, { ref: false });
      else if (heard === this.#news) return;
    }
  }

  /** Whether that is the primary. The one that there is already may be away, and comes back by itself. */
  async #use(host: HostAndPort): Promise<boolean> {
    const old = this.#primary;
    if (old?.address === formatHost(host)) {
      if (!old.isReady) return true;
      const isUsable = await isPrimary(old);
      if (isUsable) this.#return();
      return isUsable;
    }
    const { connectTimeout } = this.#options;
    const named = this.#client(host);
    // One that is frozen accepts connections and does not answer.
    const connected = named.connect().then(() => isPrimary(named));
    if (!(await within(connectTimeout + roleTimeout, connected)) || !this.#isOpen) {
      named.destroy();
      return false;
    }
    this.#leave('the sentinels name another primary');
    this.#primary = named;
    this.#return();
    // What was asked of it before may still be answered.
    setTimeout(() => old?.destroy(), connectTimeout).unref();
    return true;
  }

  #client(host: HostAndPort): SingleRedis {
    const isUsed = () => this.#primary === client;
    const client: SingleRedis = new SingleRedis({
      ...this.#options,
      address: { ...this.#options.address, hosts: [host] },
      events: {
        away: (_node, reason) => isUsed() && this.#leave(reason),
        // While it was away, another may have become the primary.
        back: () => isUsed() && this.#look(),
        replaced: () => {},
      },
    });
    return client;
  }

  #leave(reason: unknown): void {
    this.#isAway = true;
    this.#options.events.away(this.#name, reason);
  }

  #return(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.events.back(this.#name);
  }
}

/** By `INFO`, which every user of ours may call, unlike `ROLE`. */
async function isPrimary(redis: SingleRedis): Promise<boolean> {
  const asked = redis.send(['INFO', 'replication']).then((info) => /^role:master/m.test(String(info)));
  return within(roleTimeout, asked);
}

const within = (milliseconds: number, asked: Promise<boolean>): Promise<boolean> =>
  Promise.race([asked.catch(() => false), sleep(milliseconds, false, { ref: false })]);
