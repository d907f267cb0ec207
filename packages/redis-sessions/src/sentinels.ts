import { createClient } from '@redis/client';
import { formatHost, type HostAndPort, type RedisAddress } from './redis-address.ts';
import {
  clientOptions,
  noClientTimeout,
  type RedisCommand,
  reconnectDelay,
  sharedClass,
  tlsOption,
} from './redis-topology.ts';

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
    for (const sentinel of all) if (!sentinel.isReady) sentinel.connect().catch(() => {});
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

/** One sentinel: a connection to ask, and one on which it tells of changes. */
class Sentinel {
  readonly #name: string;
  readonly #clients: readonly [asked: SentinelClient, telling: SentinelClient];
  readonly #subscribe: () => Promise<void>;
  /** As long as it is tried, and when it has succeeded: a connection that is lost then comes back by itself. */
  #connecting: Promise<void> | undefined;
  #isConnected = false;

  constructor(host: HostAndPort, { address, connectTimeout, onFailover, onNews }: SentinelsOptions) {
    this.#name = address.primaryName;
    const make = () => makeClient(host, address, connectTimeout);
    const [asked, telling] = [make(), make()];
    this.#clients = [asked, telling];
    // Of another primary, or of our own: `master main 127.0.0.1 6379`, `main 127.0.0.1 6379 127.0.0.1 6380`.
    const isOurs = (message: string) => message.split(' ').slice(0, 2).includes(this.#name);
    this.#subscribe = async () => {
      await telling.subscribe('+try-failover', (message) => isOurs(message) && onFailover());
      await telling.subscribe('+switch-master', (message) => isOurs(message) && onNews());
      // What it told before is not told again.
      onNews();
      telling.on('ready', onNews);
    };
  }

  get isReady(): boolean {
    return this.#isConnected && this.#clients[0].isReady;
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
    const send = (...command: RedisCommand): Promise<unknown> => this.#clients[0].sendCommand(command);
    const [fields, named, others] = (await Promise.all([
      send('SENTINEL', 'MASTER', this.#name),
      send('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.#name),
      send('SENTINEL', 'SENTINELS', this.#name),
    ])) as [string[], [host: string, port: string], string[][]];
    const master = toFields(fields);
    const host = { host: named[0], port: Number(named[1]) };
    // The leader names the new primary here as soon as it is promoted, and in its fields only when the failover has ended.
    const isPromoted = named[1] !== master.get('port') || named[0] !== master.get('ip');
    return {
      host,
      isFailingOver: !isPromoted && (master.get('flags') ?? '').includes('failover_in_progress'),
      epoch: Number(master.get('config-epoch')),
      others: others.map(toFields).map((each) => ({ host: each.get('ip') ?? '', port: Number(each.get('port')) })),
    };
  }

  destroy(): void {
    for (const client of this.#clients) if (client.isOpen) client.destroy();
  }

  async #connect(): Promise<void> {
    for (const client of this.#clients) if (!client.isOpen) await client.connect();
    await this.#subscribe();
    this.#isConnected = true;
  }
}

function toFields(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? '']] : [])));
}

type SentinelClient = ReturnType<typeof makeClient>;

function makeClient(host: HostAndPort, { sentinelCredentials, tls }: RedisAddress, connectTimeout: number) {
  let wasReady = false;
  const client = createClient({
    ...sharedClass,
    ...clientOptions,
    ...sentinelCredentials,
    commandOptions: noClientTimeout,
    pingInterval: sentinelTimeout / 4,
    socket: {
      ...host,
      ...tlsOption(tls),
      connectTimeout: Math.min(connectTimeout, sentinelTimeout),
      socketTimeout: sentinelTimeout,
      reconnectStrategy: (retries: number, cause: Error) => (wasReady ? reconnectDelay(retries) : cause),
    },
  });
  client.on('error', () => {});
  client.on('ready', () => {
    wasReady = true;
  });
  return client;
}
