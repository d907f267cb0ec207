import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { DatabaseError, type DatabaseErrorCode } from '../errors.ts';

/** Names the process of the test run to its workers. */
export const runVariable = 'JIG_DATABASE_RUN';

/** In jest: the addresses of the runs, by the set-up that has started them. */
export function runsOf({ [runVariable]: text = '{}' }: NodeJS.ProcessEnv): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}

/** What a worker of a test runner asks for. */
export interface LeaseRequest {
  /** The test file. */
  readonly file: string;
  /** Which worker runs it. */
  readonly worker: string;
}

export interface LeasedDatabase extends DatabaseAddress {
  readonly name: string;
}

export interface Lease {
  readonly database: LeasedDatabase;
  /** Gives the database back; otherwise the end of the process does. Without an outcome, the process of the run knows it. */
  end(outcome?: { readonly failed: boolean }): Promise<void>;
}

/** What the process of the test run answers. */
export type LeaseAnswer =
  | { readonly database: LeasedDatabase }
  | { readonly error: { readonly code: DatabaseErrorCode; readonly message: string } };

/** Asks the process of the test run, at `host:port/token`, for a database. It is held by an open connection, which does not keep Node alive. */
export async function leaseDatabase(address: string, request: LeaseRequest): Promise<Lease> {
  const { hostname, port, pathname } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(`${JSON.stringify({ token: pathname.slice(1), ...request })}\n`);
  const answer = await readAnswer(createInterface({ input: socket }));
  if (answer === undefined || 'error' in answer) {
    socket.destroy();
    const { code, message } = answer?.error ?? gone;
    throw new DatabaseError(code, message);
  }
  socket.unref();
  return {
    database: answer.database,
    end: async (outcome) => {
      socket.ref();
      socket.end(outcome === undefined ? '' : `${JSON.stringify(outcome)}\n`);
      if (!socket.closed) await once(socket, 'close');
    },
  };
}

const gone = {
  code: 'JIG_DATABASE_UNREACHABLE',
  message: 'The database of this test run is gone: the process that started it has ended. Start the run again.',
} as const;

async function readAnswer(lines: AsyncIterable<string>): Promise<LeaseAnswer | undefined> {
  for await (const line of lines) return JSON.parse(line) as LeaseAnswer;
  return undefined;
}
