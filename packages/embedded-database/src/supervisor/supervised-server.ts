import type { DatabaseError } from '../errors.ts';
import type { ServerCommand, StopStep } from './server-process.ts';

/** All that the supervisor must know of a server. An engine offers it; the supervisor knows none by name. */
export interface SupervisedServer {
  /** For log lines: `PostgreSQL 18.4`. */
  readonly title: string;
  readonly dataFolder: string;
  /** From the mildest to the last that can be asked; a kill follows by itself. */
  readonly stopSteps: readonly StopStep[];
  /** What the server gets when the application dies. */
  readonly deathSignal: NodeJS.Signals;
  /** Throws when the folder holds something that this server cannot run on. Called only when it is not empty. */
  checkData(): Promise<void>;
  /** Makes a new database in an empty folder by running commands, each to its end. */
  initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void>;
  command(): ServerCommand;
  /** Removes the server's own pid file when no server wrote it that still lives; it would keep a new one from starting. */
  clearStalePidFile(): Promise<void>;
  /** By the server's own sign, without connecting. */
  isReady(pid: number, lines: readonly string[]): Promise<boolean>;
  /** Whether it says that it waits until somebody helps, which would be for ever. */
  isStuck(lines: readonly string[]): boolean;
  /** Called when it is ready for the first time; throws when it will not let the application in. */
  checkAccess(): Promise<void>;
  /** Opens a new connection and asks something; rejects when there is no answer in time. */
  probe(): Promise<void>;
  /** The pid in the server's own pid file. */
  pidOnFile(): Promise<number | undefined>;
  /** Whether a command line, its arguments joined by spaces, is that of this server on this data folder. */
  recognises(commandLine: string): boolean;
  /** What its words mean, when they are known; of a temporary error another try is worth it even at the first start. */
  explain(lines: readonly string[]): DatabaseError | undefined;
}
