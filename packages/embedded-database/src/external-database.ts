import type { ConnectionOptions } from './connection/connection-options.ts';
import { formatAddress } from './connection/connection-options.ts';
import { probe } from './connection/probe.ts';
import type { Database, DatabaseHealth } from './database.ts';
import { DatabaseError, errorMessage } from './errors.ts';

const names = { postgresql: 'PostgreSQL', mysql: 'MySQL' };
/** Shorter than the deadline of a health check. */
const healthTimeout = 800;

/** The database at `DATABASE_URL`; no process is started. */
export class ExternalDatabase implements Database {
  readonly #connection: ConnectionOptions;
  readonly #connectTimeout: number;
  readonly version = null;
  readonly state = 'external';

  constructor(connection: ConnectionOptions, { connectTimeout }: { readonly connectTimeout: number }) {
    this.#connection = connection;
    this.#connectTimeout = connectTimeout;
  }

  get engine(): string {
    return names[this.#connection.dialect];
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
    const details = { engine: this.engine, address: this.address };
    return probe(this.#connection, healthTimeout).then(
      () => ({ ok: true, state: 'ready', details }),
      () => ({ ok: false, state: 'unreachable', details }),
    );
  }

  connection(): ConnectionOptions {
    return this.#connection;
  }

  describe(): string {
    return `database at ${this.address}`;
  }

  assertAvailable(): void {}

  suspect(): void {}
}
