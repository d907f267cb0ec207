import { createClient } from '@redis/client';
import { errorMessage, RedisError } from './errors.ts';

/** The address in `REDIS_URL`. The message of a refusal never repeats it: it may hold a password. */
export function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol))
    throw invalid('it must begin with redis:// or rediss://');
  if (!/^\/?\d*$/.test(url.pathname)) throw invalid('after the host stands the number of a database, such as /0');
  if (![url.username, url.password].every(isEncoded)) throw invalid('it has a % that is no escape');
  return url;
}

/** The same address without user and password, for people to read. */
export function formatAddress({ protocol, hostname, port, pathname }: URL): string {
  return `${protocol}//${hostname || 'localhost'}:${port || '6379'}/${pathname.slice(1) || '0'}`;
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function invalid(why: string): Error {
  return new RedisError('JIG_REDIS_ADDRESS_INVALID', `The address in REDIS_URL cannot be used: ${why}.`);
}

export interface RedisConnectionOptions {
  readonly url: URL;
  readonly connectTimeout: number;
  readonly commandTimeout: number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** Without an answer for this long, the connection is considered lost. */
const idleTimeout = 15_000;
const maximumReconnectDelay = 1000;
/** Shorter than the deadline of a health check. */
const healthTimeout = 800;

/** The result of a health check, in the shape that the host expects. */
interface RedisHealth {
  readonly ok: boolean;
  readonly state: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type RedisArguments = [command: string, ...values: string[]];

/** One connection to Redis or Valkey that reconnects. A command fails at once while disconnected, and after a time-out otherwise. */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #client: ReturnType<typeof makeClient>;
  #wasReady = false;
  #isAway = false;
  #reconnections = 0;
  #version: string | null = null;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#client = makeClient(options, () => this.#wasReady);
    this.#client.on('error', (error: unknown) => this.#onError(error));
    this.#client.on('ready', () => this.#onReady());
  }

  /** Without user and password. */
  get address(): string {
    return formatAddress(this.#options.url);
  }

  get state(): 'new' | 'ready' | 'reconnecting' | 'stopped' {
    if (this.#client.isReady) return 'ready';
    if (!this.#wasReady) return 'new';
    return this.#client.isOpen ? 'reconnecting' : 'stopped';
  }

  /** The version of the server. */
  get version(): string | null {
    return this.#version;
  }

  get reconnections(): number {
    return this.#reconnections;
  }

  async start(): Promise<void> {
    try {
      await this.#client.connect();
      const info = String(await this.send(['INFO', 'server']));
      this.#version = /^(?:valkey|redis)_version:(\S+)/m.exec(info)?.[1] ?? null;
    } catch (error) {
      this.stop();
      throw new RedisError(
        'JIG_REDIS_UNREACHABLE',
        `Redis at ${this.address} cannot be used: ${errorMessage(error) || 'no answer'}. Check that it runs, and the user and password.`,
        {
          cause: error,
          fields: { address: this.address },
        },
      );
    }
  }

  stop(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async health(): Promise<RedisHealth> {
    const { address, version } = this;
    const details = { address, version };
    return this.send(['PING'], healthTimeout).then(
      () => ({ ok: true, state: 'ready', details }),
      () => ({ ok: false, state: this.state === 'ready' ? 'no answer' : this.state, details }),
    );
  }

  /** The reply in RESP 2: strings, numbers, and lists of them. */
  send(command: RedisArguments, timeout = this.#options.commandTimeout): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#client.isReady) {
        reject(
          new RedisError(
            'JIG_REDIS_NOT_READY',
            `Redis at ${this.address} is away; the connection is made anew as soon as it is back.`,
            { isTemporary: true },
          ),
        );
        return;
      }
      const sentence = `Redis did not answer within ${timeout} ms; redis.commandTimeout allows more.`;
      const late = () => reject(new RedisError('JIG_REDIS_TIMEOUT', sentence, { isTemporary: true }));
      const timer = setTimeout(late, timeout);
      this.#client.sendCommand(command).then(
        (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error as Error);
        },
      );
    });
  }

  #onReady(): void {
    if (this.#wasReady) this.#reconnections++;
    if (this.#isAway) this.#options.log.info(`Redis at ${this.address} is back`);
    this.#wasReady = true;
    this.#isAway = false;
  }

  #onError(error: unknown): void {
    if (this.#wasReady && !this.#isAway)
      this.#options.log.warn(`Redis at ${this.address} is away: ${errorMessage(error)}`);
    this.#isAway = true;
  }
}

/** The first connection is tried once, so that a wrong address shows at the start; a lost one is retried without end. */
function makeClient({ url, connectTimeout }: RedisConnectionOptions, wasReady: () => boolean) {
  return createClient({
    url: url.href,
    name: 'jig',
    RESP: 2,
    disableOfflineQueue: true,
    // Our own time-out covers the reply; that of the client covers only the sending, and costs more than the command.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    pingInterval: idleTimeout / 3,
    socket: {
      connectTimeout,
      socketTimeout: idleTimeout,
      reconnectStrategy: (retries: number, cause: Error) =>
        wasReady() ? Math.min(25 * 2 ** Math.min(retries, 10), maximumReconnectDelay) : cause,
    },
  });
}
