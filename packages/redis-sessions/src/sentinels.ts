import { formatHost, type HostAndPort, type RedisAddress } from './redis-address.ts';
import { makeClient, type RedisCommand } from './redis-topology.ts';

/** What the sentinels say of the primary. */
export interface NamedPrimary {
  readonly host: HostAndPort;
  /** Whether one of them is about to promote another, so that what is written to this one may be lost. */
  readonly isFailingOver: boolean;
}

interface SentinelsOptions {
  readonly address: RedisAddress;
  readonly connectTimeout: number;
  /** A failover begins: called before any replica is promoted, if the sentinel that leads it is connected. */
  readonly onFailover: () => void;
  /** There may be another primary. */
  readonly onNews: () => void;
}

/** Without an answer for so long, in milliseconds, a sentinel is considered lost. */
const sentinelTimeout = 1000;
const maximumSentinels = 20;

/**
 * All sentinels of one primary: those of the address, and those that these know. All are asked, since the one that leads a failover is the
 * only one that knows of it in time, and others may be cut off; the newest configuration counts.
 */
export class Sentinels {
  readonly #options: SentinelsOptions;
  readonly #sentinels = new Map<string, Sentinel>();
  #isStopped = false;

  constructor(options: SentinelsOptions) {
    this.#options = options;
    for (const host of options.address.hosts) this.#add(host);
  }

  /** Those that are connected; if none is, all are tried once. Rejects with the reason of the first when none answers. */
  async ask(): Promise<NamedPrimary> {
    const all = [...this.#sentinels.values()];
    const connected = all.filter(({ isReady }) => isReady);
    for (const sentinel of all) sentinel.connect().catch(() => {});
    const asked = await Promise.allSettled((connected.length > 0 ? connected : all).map((each) => each.ask()));
    const answers = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    for (const host of answers.flatMap(({ others }) => others)) this.#add(host);
    const [newest] = answers.sort((one, other) => other.epoch - one.epoch);
    if (newest === undefined) throw asked.find((each) => each.status === 'rejected')?.reason;
    const isFailingOver = answers.some((answer) => answer.isFailingOver && answer.epoch === newest.epoch);
    return { host: newest.host, isFailingOver };
  }

  destroy(): void {
    this.#isStopped = true;
    for (const sentinel of this.#sentinels.values()) sentinel.destroy();
  }

  #add(host: HostAndPort): void {
    const name = formatHost(host);
    if (this.#isStopped || this.#sentinels.has(name) || this.#sentinels.size >= maximumSentinels) return;
    const sentinel = new Sentinel(host, this.#options);
    this.#sentinels.set(name, sentinel);
    sentinel.connect().catch(() => {});
  }
}

interface Answer extends NamedPrimary {
  readonly epoch: number;
  readonly others: readonly HostAndPort[];
}

/** One sentinel: a connection on which it tells of changes, and then one to ask. */
class Sentinel {
  readonly #options: SentinelsOptions;
  readonly #telling: SentinelClient;
  readonly #asked: SentinelClient;
  /** As long as it is tried, and when it has succeeded: a connection that is lost then comes back by itself. */
  #connecting: Promise<void> | undefined;

  constructor(host: HostAndPort, options: SentinelsOptions) {
    this.#options = options;
    this.#telling = sentinelClient(host, options);
    this.#asked = sentinelClient(host, options);
    // What it told before is not told again.
    this.#telling.on('ready', options.onNews);
  }

  get isReady(): boolean {
    return this.#asked.isReady;
  }

  connect(): Promise<void> {
    this.#connecting ??= this.#connect().catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    return this.#connecting;
  }

  async ask(): Promise<Answer> {
    await this.connect();
    const { primaryName } = this.#options.address;
    const send = (...command: RedisCommand): Promise<unknown> => this.#asked.sendCommand(command);
    const [fields, named, others] = (await Promise.all([
      send('SENTINEL', 'MASTER', primaryName),
      send('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName),
      send('SENTINEL', 'SENTINELS', primaryName),
    ])) as [string[], [host: string, port: string], string[][]];
    const master = toFields(fields);
    // The leader names the new primary here as soon as it is promoted, and in its fields only when the failover has ended.
    const isPromoted = named[1] !== master.get('port') || named[0] !== master.get('ip');
    return {
      host: { host: named[0], port: Number(named[1]) },
      isFailingOver: !isPromoted && (master.get('flags') ?? '').includes('failover_in_progress'),
      epoch: Number(master.get('config-epoch')),
      others: others.map(toFields).map((each) => ({ host: each.get('ip') ?? '', port: Number(each.get('port')) })),
    };
  }

  destroy(): void {
    for (const client of [this.#telling, this.#asked]) if (client.isOpen) client.destroy();
  }

  async #connect(): Promise<void> {
    const { address, onFailover, onNews } = this.#options;
    // Of another primary, or of our own: `master main 127.0.0.1 6379`, `main 127.0.0.1 6379 127.0.0.1 6380`.
    const isOurs = (message: string) => message.split(' ').slice(0, 2).includes(address.primaryName);
    if (!this.#telling.isOpen) await this.#telling.connect();
    await this.#telling.subscribe('+try-failover', (message) => isOurs(message) && onFailover());
    await this.#telling.subscribe('+switch-master', (message) => isOurs(message) && onNews());
    if (!this.#asked.isOpen) await this.#asked.connect();
    onNews();
  }
}

function toFields(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? '']] : [])));
}

type SentinelClient = ReturnType<typeof sentinelClient>;

function sentinelClient(host: HostAndPort, { address, connectTimeout }: SentinelsOptions) {
  const client = makeClient({
    host,
    tls: address.tls,
    credentials: address.sentinelCredentials,
    database: 0,
    connectTimeout: Math.min(connectTimeout, sentinelTimeout),
    socketTimeout: sentinelTimeout,
  });
  client.on('error', () => {});
  return client;
}
