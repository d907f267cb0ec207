import { setTimeout as sleep } from 'node:timers/promises';
import { assertInTime } from '@jig/sessions';
import { startDeadline } from '@jig/sessions/internal';
import { ConnectionTimeoutError, ReconnectStrategyError, SocketTimeoutError } from '@redis/client';
import { ClusterRedis } from './cluster-redis.ts';
import { errorMessage, isStale, notReady, RedisError } from './errors.ts';
import { formatAddress, parseAddress, type RedisAddress, type RedisMode } from './redis-address.ts';
import type { RedisCommand, TimedCommand, WaitForReplicas } from './redis-node.ts';
import { type RedisServers, type ServersOptions, SingleRedis } from './redis-servers.ts';
import { SentinelRedis } from './sentinel-redis.ts';

export interface RedisConnectionOptions {
  /** As in `REDIS_URL`: `redis://host`, `redis+sentinel://host,host/name`, or `redis://host,host` for a cluster. */
  readonly url: string | URL;
  readonly connectTimeout: number;
  readonly commandTimeout: number;
  /** How many replicas must have a write before it counts as done; 0 by default. */
  readonly waitForReplicas?: number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** For how long and how often a start retries while Redis is slow, in milliseconds. */
const startTimeout = 10_000;
const startInterval = 100;
/** The share of a command's timeout that `WAIT` may take: it may have to wait for earlier writes too. */
const waitShare = 0.4;

const kinds = { single: SingleRedis, sentinel: SentinelRedis, cluster: ClusterRedis };

/** A connection to Redis or Valkey that reconnects. While disconnected, commands fail at once. */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #address: RedisAddress;
  readonly #wait: WaitForReplicas;
  #reads: RedisServers;
  /** Separate connections if writes wait for replicas, so that reads do not wait too. */
  #writes: RedisServers;
  #wasReady = false;
  #isStopped = false;
  #isDisconnected = false;
  #firstFailure: unknown;
  #reconnections = 0;
  #version: string | null = null;

  constructor(options: RedisConnectionOptions) {
    const { url, commandTimeout, waitForReplicas: replicas = 0 } = options;
    this.#options = options;
    this.#address = parseAddress(String(url));
    this.#wait = { replicas, timeout: Math.max(1, Math.floor(commandTimeout * waitShare)) };
    [this.#reads, this.#writes] = this.#servers();
  }

  /** Without user and password. */
  get address(): string {
    return formatAddress(this.#address);
  }

  get mode(): RedisMode {
    return this.#address.mode;
  }

  get state(): 'new' | 'ready' | 'reconnecting' | 'stopped' {
    if (!this.#wasReady) return 'new';
    if (this.#isStopped) return 'stopped';
    return this.#reads.isReady && !this.#isDisconnected ? 'ready' : 'reconnecting';
  }

  /** The version of the server. */
  get version(): string | null {
    return this.#version;
  }

  /** The nodes that take writes at the moment. */
  get primaries(): readonly string[] {
    return this.#reads.isReady ? this.#reads.primaries().map(({ address }) => address) : [];
  }

  /** How often the connection was restored. */
  get reconnections(): number {
    return this.#reconnections;
  }

  /** Retries while Redis is slow or a cluster is incomplete, as when everything starts at once. */
  async start(signal?: AbortSignal): Promise<void> {
    const began = performance.now();
    for (let tries = 0; ; tries++) {
      const failure = await this.#connect().catch((error: unknown) =>
        // The first failure says more than that all attempts timed out.
        error instanceof RedisError ? (this.#firstFailure ?? error) : error,
      );
      if (failure === undefined) return;
      this.stop();
      const why = errorMessage(failure).replace(/\.$/, '') || 'no answer';
      if (!isTransient(failure) || performance.now() - began > startTimeout)
        throw new RedisError(
          'JIG_REDIS_UNREACHABLE',
          `Redis at ${this.address} cannot be used: ${why}. Check that it runs, and the user and password.`,
          { cause: failure, fields: { address: this.address } },
        );
      if (tries === 0) this.#options.log.info(`Redis at ${this.address} is not ready (${why}); trying again`);
      await sleep(startInterval, undefined, { signal });
      [this.#reads, this.#writes] = this.#servers();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#reads.destroy();
    this.#writes.destroy();
  }

  async health(): Promise<{
    readonly ok: boolean;
    readonly state: string;
    readonly details: Readonly<Record<string, unknown>>;
  }> {
    const { address, version, mode, primaries } = this;
    const details = { address, version, mode, primaries };
    return this.forPrimaries((send) => send(['PING'])).then(
      () => ({ ok: true, state: 'ready', details }),
      () => ({ ok: false, state: this.state === 'ready' ? 'no answer' : this.state, details }),
    );
  }

  /** Returns the reply in RESP 2: strings, numbers and lists of them. In a cluster, the key selects the node. */
  send(command: RedisCommand, key?: string): Promise<unknown> {
    return this.#inTime(this.#reads, this.#options.commandTimeout, (servers) =>
      servers.use(key, (node, before = []) => {
        for (const each of before) node.send(each).catch(() => {});
        return node.send(command);
      }),
    );
  }

  /**
   * Like `send`, for a write; resolves when enough replicas have it. The command gets its deadline by the server's clock, and is not sent after
   * the timeout, when the caller has been told that it failed.
   */
  async write(
    command: RedisCommand | ((serverTime: (deadline: number) => string) => RedisCommand),
    key: string,
  ): Promise<unknown> {
    const { commandTimeout } = this.#options;
    const latest = performance.now() + commandTimeout;
    const timed: TimedCommand = (clock) => {
      assertInTime(latest);
      return typeof command === 'function'
        ? command((deadline) => clock.at(Math.min(deadline, latest)).toFixed(3))
        : command;
    };
    const [reply, replicas] = await this.#inTime(this.#writes, commandTimeout, (servers) =>
      servers.use(key, (node, before) => node.write(timed, before)),
    );
    if (replicas >= this.#wait.replicas) return reply;
    throw new RedisError(
      'JIG_REDIS_NOT_REPLICATED',
      `${replicas} of ${this.#wait.replicas} replicas had a write within ${this.#wait.timeout} ms; redis.waitForReplicas says how many must.`,
      { isTemporary: true, fields: { replicas } },
    );
  }

  /** Runs the work for each primary, in a cluster several, with a deadline for each command. */
  async forPrimaries<Result>(
    work: (send: (command: RedisCommand) => Promise<unknown>) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const timeout = this.#options.commandTimeout;
    const primaries = await this.#inTime(this.#reads, timeout, async (servers) => servers.primaries());
    return Promise.all(
      primaries.map(({ node }) =>
        work((command) => this.#inTime(this.#reads, timeout, async () => (await node()).send(command))),
      ),
    );
  }

  async #connect(): Promise<void> {
    this.#firstFailure = undefined;
    // One after the other: creating two clients at once could exceed the timeout.
    for (const servers of new Set([this.#reads, this.#writes])) await servers.connect();
    const [info] = await this.forPrimaries((send) => send(['INFO', 'server']));
    this.#version = serverVersion(String(info));
    this.#wasReady = true;
    this.#isStopped = false;
  }

  /** Reads and writes use the same connections unless writes wait for replicas. */
  #servers(): [reads: RedisServers, writes: RedisServers] {
    const { connectTimeout, commandTimeout } = this.#options;
    const options: ServersOptions = {
      address: this.#address,
      connectTimeout,
      commandTimeout,
      wait: this.#wait,
      onDisconnect: (reason) => this.#onDisconnect(reason),
      onReconnect: () => this.#onReconnect(),
    };
    const make = (): RedisServers => new kinds[this.mode](options);
    const reads = make();
    return [reads, this.#wait.replicas > 0 ? make() : reads];
  }

  #inTime<Answer>(
    servers: RedisServers,
    timeout: number,
    ask: (servers: RedisServers) => Promise<Answer>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const suspect = () => this.#wasReady && servers.suspect?.();
      if (!servers.isReady) {
        suspect();
        reject(notReady(`Redis at ${this.address} cannot be reached; it reconnects by itself.`));
        return;
      }
      const endDeadline = startDeadline(timeout, () => {
        suspect();
        const sentence = `Redis did not answer within ${timeout} ms; raise redis.commandTimeout if it needs longer.`;
        reject(new RedisError('JIG_REDIS_TIMEOUT', sentence, { isTemporary: true }));
      });
      ask(servers)
        .then(resolve, (error: unknown) => {
          if (isStale(error)) suspect();
          reject(error);
        })
        .finally(endDeadline);
    });
  }

  #onDisconnect(reason: unknown): void {
    this.#firstFailure ??= reason;
    if (!this.#wasReady || this.#isDisconnected) return;
    this.#isDisconnected = true;
    this.#options.log.warn(`Redis at ${this.address} cannot be reached: ${errorMessage(reason)}`);
  }

  #onReconnect(): void {
    if (!this.#isDisconnected) return;
    this.#isDisconnected = false;
    this.#reconnections++;
    this.#options.log.info(`Redis at ${this.address} can be reached again`);
  }
}

const isTransient = (error: unknown): boolean =>
  (error instanceof ReconnectStrategyError && isTransient(error.originalError)) ||
  error instanceof ConnectionTimeoutError ||
  error instanceof SocketTimeoutError ||
  (error instanceof RedisError && error.isTemporary);

/** Valkey also names the version of Redis that it is compatible with. */
const serverVersion = (info: string) =>
  (/^valkey_version:(\S+)/m.exec(info) ?? /^redis_version:(\S+)/m.exec(info))?.[1] ?? null;
