import { setTimeout as sleep } from 'node:timers/promises';
import { notReady } from './errors.ts';
import { formatHost, type HostAndPort } from './redis-address.ts';
import { makeClient, type RedisNode } from './redis-node.ts';
import { type RedisPrimary, type RedisServers, type ServersOptions, SingleRedis, type Work } from './redis-servers.ts';

/** How long to wait for a sentinel or a new primary, in milliseconds. */
const timeout = 1000;
/** The pause between two queries during a failover, in milliseconds. */
const failoverPause = 100;
/** The shortest time between two queries because of failed commands. */
const suspectInterval = 250;

/**
 * The primary that the sentinels name. During a failover commands wait for the new primary, since the old one would lose writes. All sentinels
 * are asked, because only the leader of a failover knows of it in time; the newest configuration counts.
 */
export class SentinelRedis implements RedisServers {
  readonly #options: ServersOptions;
  readonly #sentinels: readonly Sentinel[];
  #primary: SingleRedis | undefined;
  /** The search for the primary, while there is one; commands wait for it. */
  #change: Promise<void> | undefined;
  /** Whether something has changed since the sentinels were asked. */
  #isOutdated = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isOpen = false;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#sentinels = options.address.hosts.map((host) => new Sentinel(host, options, () => this.#update()));
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

  async use<Result>(_key: string | undefined, work: Work<Result>): Promise<Result> {
    for (;;) {
      while (this.#change !== undefined) await this.#change;
      if (this.#primary === undefined) throw notReady('No primary is known yet.');
      const { node } = this.#primary;
      await node.readClock();
      if (this.#change === undefined) return work(node);
    }
  }

  primaries(): readonly RedisPrimary[] {
    return this.#primary?.primaries() ?? [];
  }

  suspect(): void {
    if (performance.now() - this.#askedAt > suspectInterval) this.#update();
  }

  #update(): void {
    this.#isOutdated = true;
    if (this.#isOpen && this.#primary !== undefined)
      this.#change ??= this.#find().finally(() => {
        this.#change = undefined;
      });
  }

  /** Repeats until the sentinels name a usable primary. If none can be reached, the current primary stays. */
  async #find(): Promise<void> {
    while (this.#isOutdated && this.#isOpen) {
      this.#isOutdated = false;
      this.#askedAt = performance.now();
      const named = await this.#ask().catch(() => undefined);
      const isSettled = named === undefined || (!named.isFailingOver && (await this.#switchTo(named.host)));
      if (isSettled) continue;
      this.#isOutdated = true;
      await sleep(failoverPause, undefined, { ref: false });
    }
  }

  async #ask(): Promise<Answer> {
    const connected = this.#sentinels.filter(({ isReady }) => isReady);
    // Reconnects to the others in the background.
    for (const sentinel of this.#sentinels) sentinel.connect().catch(() => {});
    const asked = (connected.length > 0 ? connected : this.#sentinels).map((sentinel) => sentinel.ask());
    const settled = await Promise.allSettled(asked);
    const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [newest] = answers.sort((one, other) => other.epoch - one.epoch);
    if (newest === undefined) throw settled.find((each) => each.status === 'rejected')?.reason;
    return { ...newest, isFailingOver: answers.some((each) => each.isFailingOver && each.epoch === newest.epoch) };
  }

  /** Returns whether this host is the primary. The current one reconnects by itself. */
  async #switchTo(host: HostAndPort): Promise<boolean> {
    const old = this.#primary;
    if (old?.address === formatHost(host)) return !old.isReady || isPrimary(old.node);
    const { connectTimeout, onDisconnect, onReconnect } = this.#options;
    const candidate = this.#client(host);
    // A frozen server accepts connections but does not answer.
    const connected = candidate.connect().then(() => isPrimary(candidate.node));
    if (!(await within(connectTimeout + timeout, connected)) || !this.#isOpen) {
      candidate.destroy();
      return false;
    }
    onDisconnect('the sentinels name another primary');
    this.#primary = candidate;
    onReconnect();
    // Earlier commands may still be answered.
    setTimeout(() => old?.destroy(), connectTimeout).unref();
    return true;
  }

  #client(host: HostAndPort): SingleRedis {
    const client: SingleRedis = new SingleRedis({
      ...this.#options,
      address: { ...this.#options.address, hosts: [host] },
      onDisconnect: (reason) => this.#primary === client && this.#options.onDisconnect(reason),
      onReconnect: () => {
        if (this.#primary !== client) return;
        // Another may have become the primary meanwhile.
        this.#update();
        this.#options.onReconnect();
      },
    });
    return client;
  }
}

/** The state of the primary as a sentinel sees it. */
interface Answer {
  readonly host: HostAndPort;
  readonly epoch: number;
  /** Another server is about to be promoted, so writes to this one may be lost. */
  readonly isFailingOver: boolean;
}

class Sentinel {
  readonly #name: string;
  readonly #onChange: () => void;
  readonly #client: ReturnType<typeof makeClient>;
  /** Stays set after a success: the client reconnects by itself. */
  #connecting: Promise<void> | undefined;

  constructor(host: HostAndPort, { address, connectTimeout }: ServersOptions, onChange: () => void) {
    this.#name = address.primaryName;
    this.#onChange = onChange;
    this.#client = makeClient({
      host,
      tls: address.tls,
      credentials: address.sentinelCredentials,
      database: 0,
      connectTimeout: Math.min(connectTimeout, timeout),
      socketTimeout: timeout,
      // Allows subscriptions and commands on one connection.
      RESP: 3,
    });
    // Messages during a disconnection are lost.
    this.#client.on('error', () => {}).on('ready', onChange);
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
    // Messages: `master main 127.0.0.1 6379`, `main 127.0.0.1 6379 127.0.0.1 6380`.
    const onMessage = (message: string) => message.split(' ').slice(0, 2).includes(this.#name) && this.#onChange();
    await this.#client.subscribe(['+try-failover', '+switch-master'], onMessage);
  }

  async ask(): Promise<Answer> {
    await this.connect();
    const [fields, named] = (await Promise.all([
      this.#client.sendCommand(['SENTINEL', 'MASTER', this.#name]),
      this.#client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.#name]),
    ])) as unknown as [Record<string, string>, [host: string, port: string]];
    // The leader returns the new address as soon as it is promoted, and updates the fields only when the failover has ended.
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

/** Uses `INFO`, because our ACL user may not call `ROLE`. */
function isPrimary(node: RedisNode): Promise<boolean> {
  const asked = node.send(['INFO', 'replication']).then((info) => /^role:master/m.test(String(info)));
  return within(timeout, asked);
}

const within = (milliseconds: number, asked: Promise<boolean>): Promise<boolean> =>
  Promise.race([asked.catch(() => false), sleep(milliseconds, false, { ref: false })]);
