import { setTimeout as sleep } from 'node:timers/promises';
import { notReady } from './errors.ts';
import { formatHost, type HostAndPort } from './redis-address.ts';
import { makeClient, type RedisNode } from './redis-node.ts';
import { type RedisPrimary, type RedisServers, type ServersOptions, SingleRedis, type Work } from './redis-servers.ts';

/** In milliseconds: without an answer for so long, a sentinel or a new primary is considered lost. */
const patience = 1000;
/** Between two questions while the sentinels change the primary: first, and then at most. */
const firstPause = 50;
const maximumPause = 500;
/** How often they are asked at most because commands fail. */
const suspectInterval = 250;

/**
 * The primary that the sentinels name. From the moment that one of them begins a failover, commands wait until they name a primary and it
 * says that it is one: what the old one takes meanwhile would be lost, and what others have stored on the new one is not there. All
 * sentinels are asked, since the one that leads a failover is the only one that knows of it in time; the newest configuration counts.
 */
export class SentinelRedis implements RedisServers {
  readonly #options: ServersOptions;
  readonly #sentinels: readonly Sentinel[];
  #primary: SingleRedis | undefined;
  /** As long as it is there, commands wait for it. */
  #change: Promise<void> | undefined;
  /** There was news since the sentinels were asked. */
  #isOutdated = false;
  #asked = Number.NEGATIVE_INFINITY;
  #isOpen = false;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#sentinels = options.address.hosts.map((host) => new Sentinel(host, options, () => this.#look()));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#primary?.isReady ?? false;
  }

  async connect(): Promise<void> {
    this.#isOpen = true;
    const { host } = await this.#ask();
    const primary = this.#client(host);
    await primary.connect();
    this.#primary = primary;
    if (!(await isPrimary(primary.node))) throw notReady(`Redis at ${formatHost(host)} is not a primary yet.`);
  }

  destroy(): void {
    this.#isOpen = false;
    for (const sentinel of this.#sentinels) sentinel.destroy();
    this.#primary?.destroy();
  }

  async use<Answer>(_key: string | undefined, work: Work<Answer>): Promise<Answer> {
    for (;;) {
      while (this.#change !== undefined) await this.#change;
      if (this.#primary === undefined) throw notReady('No primary is known yet.');
      const { node } = this.#primary;
      await node.knowsTime();
      if (this.#change === undefined) return work(node);
    }
  }

  primaries(): readonly RedisPrimary[] {
    return this.#primary?.primaries() ?? [];
  }

  suspect(): void {
    if (performance.now() - this.#asked > suspectInterval) this.#look();
  }

  #look(): void {
    this.#isOutdated = true;
    if (this.#isOpen && this.#primary !== undefined)
      this.#change ??= this.#find().finally(() => {
        this.#change = undefined;
      });
  }

  /** Until the sentinels name a primary that can be used. If they cannot be reached, nobody knows of another than this one. */
  async #find(): Promise<void> {
    for (let pause = firstPause; this.#isOutdated && this.#isOpen; pause = Math.min(2 * pause, maximumPause)) {
      this.#isOutdated = false;
      this.#asked = performance.now();
      const named = await this.#ask().catch(() => undefined);
      if (named === undefined || (!named.isFailingOver && (await this.#switchTo(named.host)))) continue;
      this.#isOutdated = true;
      await sleep(pause, undefined, { ref: false });
    }
  }

  async #ask(): Promise<Answer> {
    const connected = this.#sentinels.filter(({ isReady }) => isReady);
    // Those that are away are tried again beside the others.
    for (const sentinel of this.#sentinels) sentinel.connect().catch(() => {});
    const asked = (connected.length > 0 ? connected : this.#sentinels).map((sentinel) => sentinel.ask());
    const settled = await Promise.allSettled(asked);
    const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [newest] = answers.sort((one, other) => other.epoch - one.epoch);
    if (newest === undefined) throw settled.find((each) => each.status === 'rejected')?.reason;
    return { ...newest, isFailingOver: answers.some((each) => each.isFailingOver && each.epoch === newest.epoch) };
  }

  /** Says whether that is the primary. The one that there is already may be away, and comes back by itself. */
  async #switchTo(host: HostAndPort): Promise<boolean> {
    const old = this.#primary;
    if (old?.address === formatHost(host)) return !old.isReady || isPrimary(old.node);
    const { connectTimeout, onAway, onBack } = this.#options;
    const named = this.#client(host);
    // One that is frozen accepts connections and does not answer.
    const connected = named.connect().then(() => isPrimary(named.node));
    if (!(await within(connectTimeout + patience, connected)) || !this.#isOpen) {
      named.destroy();
      return false;
    }
    onAway('the sentinels name another primary');
    this.#primary = named;
    onBack();
    // What was asked of it before may still be answered.
    setTimeout(() => old?.destroy(), connectTimeout).unref();
    return true;
  }

  #client(host: HostAndPort): SingleRedis {
    const client: SingleRedis = new SingleRedis({
      ...this.#options,
      address: { ...this.#options.address, hosts: [host] },
      onAway: (reason) => this.#primary === client && this.#options.onAway(reason),
      onBack: () => {
        if (this.#primary !== client) return;
        // While it was away, another may have become the primary.
        this.#look();
        this.#options.onBack();
      },
    });
    return client;
  }
}

/** What a sentinel says of the primary. */
interface Answer {
  readonly host: HostAndPort;
  readonly epoch: number;
  /** It is about to promote another, so that what is written to this one may be lost. */
  readonly isFailingOver: boolean;
}

class Sentinel {
  readonly #name: string;
  readonly #onNews: () => void;
  readonly #client: ReturnType<typeof makeClient>;
  /** As long as it is tried, and when it has succeeded: a connection that is lost then comes back by itself. */
  #connecting: Promise<void> | undefined;

  constructor(host: HostAndPort, { address, connectTimeout }: ServersOptions, onNews: () => void) {
    this.#name = address.primaryName;
    this.#onNews = onNews;
    this.#client = makeClient({
      host,
      tls: address.tls,
      credentials: address.sentinelCredentials,
      database: 0,
      connectTimeout: Math.min(connectTimeout, patience),
      socketTimeout: patience,
      // By which it tells of changes and is asked on one connection.
      RESP: 3,
    });
    // What it told while it was away is not told again.
    this.#client.on('error', () => {}).on('ready', onNews);
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  connect(): Promise<void> {
    this.#connecting ??= this.#connect().catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    if (!this.#client.isOpen) await this.#client.connect();
    // Of our primary, or of another: `master main 127.0.0.1 6379`, `main 127.0.0.1 6379 127.0.0.1 6380`.
    const onMessage = (message: string) => message.split(' ').slice(0, 2).includes(this.#name) && this.#onNews();
    await this.#client.subscribe(['+try-failover', '+switch-master'], onMessage);
  }

  async ask(): Promise<Answer> {
    await this.connect();
    const [fields, named] = (await Promise.all([
      this.#client.sendCommand(['SENTINEL', 'MASTER', this.#name]),
      this.#client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.#name]),
    ])) as unknown as [Record<string, string>, [host: string, port: string]];
    // The leader names the new primary here as soon as it is promoted, and in its fields only when the failover has ended.
    const isPromoted = named[1] !== fields.port || named[0] !== fields.ip;
    return {
      host: { host: named[0], port: Number(named[1]) },
      epoch: Number(fields['config-epoch']),
      isFailingOver: !isPromoted && (fields.flags ?? '').includes('failover_in_progress'),
    };
  }

  destroy(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }
}

/** By `INFO`, which every user of ours may call, unlike `ROLE`. */
function isPrimary(node: RedisNode): Promise<boolean> {
  const asked = node.send(['INFO', 'replication']).then((info) => /^role:master/m.test(String(info)));
  return within(patience, asked);
}

const within = (milliseconds: number, asked: Promise<boolean>): Promise<boolean> =>
  Promise.race([asked.catch(() => false), sleep(milliseconds, false, { ref: false })]);
