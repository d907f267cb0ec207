import { setTimeout as sleep } from 'node:timers/promises';
import { assertInTime } from '@jig/sessions';
import { startDeadline } from '@jig/sessions/internal';
import { ConnectionTimeoutError, ReconnectStrategyError, SocketTimeoutError } from '@redis/client';
import { ClusterRedis } from './cluster-redis.ts';
import { errorMessage, notReady, RedisError } from './errors.ts';
import { formatAddress, parseAddress, type RedisAddress, type RedisMode } from './redis-address.ts';
import type {
  RedisCommand,
  RedisPrimary,
  RedisTopology,
  TimedCommand,
  TopologyEvents,
  WaitForReplicas,
} from './redis-topology.ts';
import { SentinelRedis } from './sentinel-redis.ts';
import { SingleRedis } from './single-redis.ts';

export interface RedisConnectionOptions {
  /** As in `REDIS_URL`: `redis://host`, `redis+sentinel://host,host/name`, or `redis://host,host` for a cluster. */
  readonly url: string | URL;
  readonly connectTimeout: number;
  readonly commandTimeout: number;
  /** How many replicas must have a write before it counts as done; 0 by default. */
  readonly waitForReplicas?: number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** Shorter than the deadline of a health check. */
const healthTimeout = 800;
/** For how long a start that found Redis slow tries again, and how often, in milliseconds. */
const startPatience = 10_000;
const startInterval = 100;
/** Which part of the time-out of a command may pass until the replicas have a write; it may have to wait for those before it too. */
const waitShare = 0.4;

/** The result of a health check, in the shape that the host expects. */
interface RedisHealth {
  readonly ok: boolean;
  readonly state: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A connection to Redis or Valkey that reconnects. A command fails at once while disconnected, and after a time-out otherwise. */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #address: RedisAddress;
  readonly #wait: WaitForReplicas;
  #reads: RedisTopology;
  /** Has connections of its own if writes wait for replicas, since reads on the same connection would wait too. */
  #writes: RedisTopology;
  readonly #awayNodes = new Set<string>();
  #wasReady = false;
  #firstReason: unknown;
  #reconnections = 0;
  #version: string | null = null;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#address = parseAddress(String(options.url));
    this.#wait = {
      replicas: options.waitForReplicas ?? 0,
      timeout: Math.max(1, Math.floor(options.commandTimeout * waitShare)),
    };
    [this.#reads, this.#writes] = this.#topologies();
  }

  /** Without user and password. */
  get address(): string {
    return formatAddress(this.#address);
  }

  get mode(): RedisMode {
    return this.#address.mode;
  }

  /** Whether a write is followed by a wait, which holds up whatever comes after it, also when the write fails. */
  get waitsForReplicas(): boolean {
    return this.#wait.replicas > 0;
  }

  get state(): 'new' | 'ready' | 'reconnecting' | 'stopped' {
    if (!this.#wasReady) return 'new';
    if (!this.#reads.isOpen) return 'stopped';
    return this.#reads.isReady && this.#awayNodes.size === 0 ? 'ready' : 'reconnecting';
  }

  /** The version of the server. */
  get version(): string | null {
    return this.#version;
  }

  /** The nodes that take writes at the moment. */
  get primaries(): readonly string[] {
    return this.#reads.isReady ? this.#reads.primaries().map(({ address }) => address) : [];
  }

  /** How often a node was lost and found again. */
  get reconnections(): number {
    return this.#reconnections;
  }

  /** Tries again while Redis is merely slow, or a cluster not complete, as where everything starts at once. */
  async start(signal?: AbortSignal): Promise<void> {
    const began = performance.now();
    for (let tries = 0; ; tries++) {
      const failure = await this.#tryToStart();
      if (failure === undefined) return;
      this.stop();
      const why = errorMessage(failure).replace(/\.$/, '') || 'no answer';
      if (!isTransient(failure) || performance.now() - began > startPatience)
        throw new RedisError(
          'JIG_REDIS_UNREACHABLE',
          `Redis at ${this.address} cannot be used: ${why}. Check that it runs, and the user and password.`,
          { cause: failure, fields: { address: this.address } },
        );
      if (tries === 0) this.#options.log.info(`Redis at ${this.address} is not ready (${why}); trying again`);
      await sleep(startInterval, undefined, { signal });
      [this.#reads, this.#writes] = this.#topologies();
    }
  }

  stop(): void {
    this.#reads.destroy();
    this.#writes.destroy();
  }

  async health(): Promise<RedisHealth> {
    const { address, version, mode, primaries } = this;
    const details = { address, version, mode, primaries };
    const state = () => (this.state === 'ready' ? 'no answer' : this.state);
    return this.sendToPrimaries(['PING'], healthTimeout).then(
      () => ({ ok: true, state: 'ready', details }),
      () => ({ ok: false, state: state(), details }),
    );
  }

  /** The reply in RESP 2: strings, numbers, and lists of them. In a cluster, the key says which node is asked. */
  send(command: RedisCommand, key?: string, timeout = this.#options.commandTimeout): Promise<unknown> {
    return this.#limitTime(this.#reads, timeout, () => this.#reads.send(command, key));
  }

  /** After so many milliseconds, whoever sent a command is told that it failed. */
  get commandTimeout(): number {
    return this.#options.commandTimeout;
  }

  /** As `send`, for a write; resolves when as many replicas have it as are asked for. What had to wait for too long is not sent. */
  async write(command: RedisCommand | TimedCommand, key: string): Promise<unknown> {
    const { replicas, timeout } = this.#wait;
    const latest = performance.now() + this.commandTimeout;
    const inTime: TimedCommand = (clock) => {
      assertInTime(latest);
      return typeof command === 'function' ? command(clock) : command;
    };
    const send = () => this.#writes.write(inTime, key);
    const answer = await this.#limitTime(this.#writes, this.#options.commandTimeout, send);
    if (answer.replicas >= replicas) return answer.reply;
    throw new RedisError(
      'JIG_REDIS_NOT_REPLICATED',
      `${answer.replicas} of ${replicas} replicas had a write within ${timeout} ms; redis.waitForReplicas says how many must.`,
      { isTemporary: true, fields: { replicas: answer.replicas } },
    );
  }

  /** Asks each primary: in a cluster several, otherwise one. */
  async sendToPrimaries(command: RedisCommand, timeout = this.#options.commandTimeout): Promise<readonly unknown[]> {
    return this.forPrimaries(async ({ send }) => send(command), timeout);
  }

  /** Runs the work for each primary, with a deadline for each command. */
  async forPrimaries<Result>(
    work: (primary: RedisPrimary) => Promise<Result>,
    timeout = this.#options.commandTimeout,
  ): Promise<readonly Result[]> {
    const primaries = await this.#limitTime(this.#reads, timeout, async () => this.#reads.primaries());
    const limited = primaries.map(({ address, send }) => ({
      address,
      send: (command: RedisCommand) => this.#limitTime(this.#reads, timeout, () => send(command)),
    }));
    return Promise.all(limited.map(work));
  }

  /** Gives the reason when it fails. */
  async #tryToStart(): Promise<unknown> {
    this.#firstReason = undefined;
    try {
      // One after the other, since making the client of one takes so long that the other could be taken for too slow.
      for (const topology of new Set([this.#reads, this.#writes])) await topology.connect();
      const [info] = await this.sendToPrimaries(['INFO', 'server']);
      this.#version = serverVersion(String(info));
      this.#wasReady = true;
      return undefined;
    } catch (error) {
      // A node that cannot be connected to is tried again and again; why says more than that it took too long.
      return error instanceof RedisError ? (this.#firstReason ?? error) : error;
    }
  }

  /** For reads and for writes, which is the same unless writes wait for replicas. */
  #topologies(): [reads: RedisTopology, writes: RedisTopology] {
    const reads = this.#topology();
    return [reads, this.waitsForReplicas ? this.#topology() : reads];
  }

  #topology(): RedisTopology {
    const { connectTimeout, commandTimeout } = this.#options;
    const events: TopologyEvents = {
      away: (node, reason) => this.#onAway(node, reason),
      back: (node) => this.#onReturn(node, 'is back'),
      replaced: (node) => this.#onReturn(node, 'has been replaced'),
    };
    const options = { address: this.#address, connectTimeout, commandTimeout, wait: this.#wait, events };
    const Topology = { single: SingleRedis, sentinel: SentinelRedis, cluster: ClusterRedis }[this.mode];
    return new Topology(options);
  }

  #limitTime<Answer>(topology: RedisTopology, timeout: number, ask: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!topology.isReady) {
        if (this.#wasReady) topology.suspect?.();
        reject(notReady(`Redis at ${this.address} is away; the connection is made anew as soon as it is back.`));
        return;
      }
      const sentence = `Redis did not answer within ${timeout} ms; redis.commandTimeout allows more.`;
      const endDeadline = startDeadline(timeout, () => {
        topology.suspect?.();
        reject(new RedisError('JIG_REDIS_TIMEOUT', sentence, { isTemporary: true }));
      });
      ask().then(resolve, reject).finally(endDeadline);
    });
  }

  #nodeName(node: string): string {
    return this.mode === 'cluster' ? `The node ${node} of the Redis cluster` : `Redis at ${this.address}`;
  }

  #onAway(node: string, reason: unknown): void {
    if (!this.#wasReady) this.#firstReason ??= reason;
    if (!this.#wasReady || this.#awayNodes.has(node)) return;
    this.#awayNodes.add(node);
    this.#options.log.warn(`${this.#nodeName(node)} is away: ${errorMessage(reason)}`);
  }

  #onReturn(node: string, how: string): void {
    if (!this.#awayNodes.delete(node)) return;
    this.#reconnections++;
    this.#options.log.info(`${this.#nodeName(node)} ${how}`);
  }
}

const isTransient = (error: unknown): boolean =>
  (error instanceof ReconnectStrategyError && isTransient(error.originalError)) ||
  error instanceof ConnectionTimeoutError ||
  error instanceof SocketTimeoutError ||
  (error instanceof RedisError && error.isTemporary);

/** Valkey also names the Redis that it is compatible with, and names it first. */
const serverVersion = (info: string) =>
  (/^valkey_version:(\S+)/m.exec(info) ?? /^redis_version:(\S+)/m.exec(info))?.[1] ?? null;
