import { type ConnectionOptions, formatAddress } from '../connection/address.ts';
import { answers, probe } from '../connection/postgresql-client.ts';
import { DatabaseError, errorMessage } from '../errors.ts';

/** The result of a health check, in the shape that the host expects. */
export interface DatabaseHealth {
  readonly ok: boolean;
  readonly state: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A database that the application can use, embedded or external. Its properties hold no secret. */
export interface Database {
  readonly engine: string;
  readonly version: string | null;
  /** A state of the server, or `external` for a database at `DATABASE_URL`. */
  readonly state: string;
  /** Without the password. */
  readonly address: string | null;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  health(): DatabaseHealth | Promise<DatabaseHealth>;
  /** How to connect, with the password; known once it has started. */
  connection(): ConnectionOptions;
  /** For use inside a sentence, without the password. */
  describe(): string;
  /** Throws when it is known to be down, so that callers do not wait for a time-out. */
  assertAvailable(): void;
}

/** The database at `DATABASE_URL`; no process is started. */
export class ExternalDatabase implements Database {
  readonly #connection: ConnectionOptions;
  readonly #connectTimeout: number;
  readonly engine = 'PostgreSQL';
  readonly version = null;
  readonly state = 'external';

  constructor(connection: ConnectionOptions, { connectTimeout }: { readonly connectTimeout: number }) {
    this.#connection = connection;
    this.#connectTimeout = connectTimeout;
  }

  get address(): string {
    return formatAddress(this.#connection);
  }

  async start(): Promise<void> {
    try {
      await probe(this.#connection, this.#connectTimeout);
    } catch (error) {
      throw new DatabaseError(
        'JIG_DATABASE_UNREACHABLE',
        `The database at ${this.address} of DATABASE_URL cannot be used: ${errorMessage(error) || 'no answer'}. Check that it runs, and the user and password.`,
        { cause: error, fields: { address: this.address } },
      );
    }
  }

  async stop(): Promise<void> {}

  async health(): Promise<DatabaseHealth> {
    const ok = await answers(this.#connection);
    return { ok, state: ok ? 'ready' : 'unreachable', details: { engine: this.engine, address: this.address } };
  }

  connection(): ConnectionOptions {
    return this.#connection;
  }

  describe(): string {
    return `database at ${this.address}`;
  }

  assertAvailable(): void {}
}
