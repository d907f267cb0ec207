import type { ConnectionOptions } from './connection/connection-options.ts';

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
  /** A state of the supervisor, or `external` for a database at `DATABASE_URL`. */
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
  /** A caller got no answer: probe the server now. */
  suspect(): void;
}
