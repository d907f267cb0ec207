import { Query } from 'pg';
import type { ConnectionOptions } from '../connection/address.ts';
import { connect } from '../connection/postgresql-client.ts';

/** Runs SQL over a connection of its own. */
export interface Session {
  /** Any number of statements, or one `COPY … FROM stdin` with its rows. */
  run(statements: string, rows?: string): Promise<void>;
  rows(statement: string, values?: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** What `pg` calls on its connection while a COPY runs; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

export async function openSession(connection: ConnectionOptions): Promise<Session> {
  const client = await connect(connection, { connectTimeout: 10_000, queryTimeout: 0 });
  const copy = (statement: string, rows: string) =>
    new Promise<void>((resolve, reject) => {
      const query = new Query(statement);
      Object.assign(query, {
        handleCopyInResponse(server: CopyConnection) {
          server.sendCopyFromChunk(Buffer.from(rows));
          server.endCopyFrom();
        },
      });
      query.on('end', () => resolve());
      query.on('error', reject);
      client.query(query);
    });
  return {
    run: async (statements, rows) =>
      void (await (rows === undefined ? client.query(statements) : copy(statements, rows))),
    rows: async (statement, values = []) => (await client.query<Record<string, unknown>>(statement, [...values])).rows,
    close: () => client.end(),
  };
}
