import type { DatabaseError } from '../errors.ts';
import type { ServerCommand, StopStep } from './server-process.ts';

/** What the supervisor needs to know of a server; each engine implements it. */
export interface SupervisedServer {
  /** For log lines: `PostgreSQL 18.4`. */
  readonly title: string;
  readonly dataFolder: string;
  /** Whether it takes its folder by the path given, and never by the real path, which may be closed to it. */
  readonly runsByDescriptor: boolean;
  /** From the mildest to the last that can be asked; a kill follows by itself. */
  readonly stopSteps: readonly StopStep[];
  /** Sent to the server when the application dies. */
  readonly deathSignal: NodeJS.Signals;
  /** Throws when the folder holds something that this server cannot run on. Called only when it is not empty. */
  checkData(): Promise<void>;
  /** Makes a new database in an empty folder by running commands, each to its end. */
  initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void>;
  command(): ServerCommand;
  /** Removes the pid file of a server that no longer runs; it would prevent a start. */
  clearStalePidFile(): Promise<void>;
  /** By the server's pid file or output, without connecting. */
  isReady(pid: number, lines: readonly string[]): Promise<boolean>;
  /** Whether its output says that it waits for help, which it would do for ever. */
  isStuck(lines: readonly string[]): boolean;
  /** Called when it is ready for the first time; throws when it will not let the application in. */
  checkAccess(): Promise<void>;
  /** Opens a new connection and asks something; rejects when there is no answer in time. */
  probe(): Promise<void>;
  /** The pid in the server's own pid file. */
  pidOnFile(): Promise<number | undefined>;
  /** Whether a command line, its arguments joined by spaces, is that of this server on this data folder. */
  recognises(commandLine: string): boolean;
  /** Explains known output of a server that failed; a temporary error is retried even at the first start. */
  explain(lines: readonly string[]): DatabaseError | undefined;
}
