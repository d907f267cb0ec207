import type { ConnectionOptions, Dialect } from '../connection/connection-options.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import type { SupervisedServer } from '../supervisor/supervised-server.ts';

/** The folders, credentials and settings of a server. */
export interface ServerSetup {
  readonly dataFolder: string;
  readonly socketFolder: string;
  /** For library links, when the package lacks them. */
  readonly librariesFolder: string;
  /** 0: reachable by the socket only; otherwise on the loopback address too. */
  readonly port: number;
  readonly password: string;
  /** Where it was read, for people. */
  readonly passwordFile: string;
  readonly user: RunAs | undefined;
  /** The data is removed at the end, so speed counts more than durability. */
  readonly temporary: boolean;
  /** The server's own settings, by its own names. */
  readonly settings: Readonly<Record<string, string>>;
  /** More arguments for the program that makes a new database. */
  readonly initialiseArguments?: readonly string[];
}

/** A server with its setup: what the supervisor needs, and how to connect. */
export interface EngineServer extends SupervisedServer {
  /** `PostgreSQL`, `MariaDB`, `MySQL`. */
  readonly product: string;
  readonly version: string;
  /** As its own user; the password may change. */
  connection: ConnectionOptions;
}

/** Which server there is. */
export interface EngineVersion {
  readonly product: string;
  readonly version: string;
}

/** A kind of database server. */
export interface Engine {
  readonly name: string;
  readonly dialect: Dialect;
  /** The name of its data folder. */
  readonly folder: string;
  /** Why it cannot run here, in words that end a sentence; undefined when it can. Touches no data. */
  unavailable(user: RunAs | undefined): Promise<string | undefined>;
  /** How a database for tests differs: small, quick to copy, and without what only a long life needs. */
  readonly forTests: {
    readonly initialiseArguments: readonly string[];
    readonly settings: Readonly<Record<string, string>>;
    /** Files that the server does without, by their paths in the data folder: they are not copied. */
    readonly isSpare?: (file: string) => boolean;
  };
  /** The settings of a server that keeps what it has, in the place of those for tests. */
  readonly production: Readonly<Record<string, string>>;
  /** What makes the files of its databases differ from those of others of the same version. */
  readonly variant?: Readonly<Record<string, string | undefined>>;
  /** The settings that let it take TLS. */
  tlsSettings(files: { readonly certificate: string; readonly key: string }): Readonly<Record<string, string>>;
  /** Throws when there is none that runs here. */
  version(user: RunAs | undefined): Promise<EngineVersion>;
  /** Asks the program for its version, which also proves that it runs. */
  server(setup: ServerSetup): Promise<EngineServer>;
}

/** The name of the user and of the database that the application gets. */
export const ownName = 'jig';
