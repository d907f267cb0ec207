import type { ConnectionOptions } from './connection/connection-options.ts';

/** How a database is doing; the shape that the host's health checks have. */
export interface DatabaseHealth {
  readonly ok: boolean;
  readonly state: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A database that the application can use, whoever runs it. What it shows of itself holds no secret. */
export interface Database {
  readonly engine: string;
  readonly version: string | null;
  /** In the words of the supervisor; `external` when somebody else runs it. */
  readonly state: string;
  /** Without the password. */
  readonly address: string | null;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  health(): DatabaseHealth | Promise<DatabaseHealth>;
  /** How to connect, with the password; known once it has started. */
  connection(): ConnectionOptions;
  /** What it is and where, for use inside a sentence, without the password. */
  describe(): string;
  /** Throws when it is known not to answer now, so that nobody waits for a time-out. */
  assertAvailable(): void;
  /** Somebody got no answer. */
  suspect(): void;
}
