import type { Dialect } from '../connection/connection-options.ts';
import type { SqlSession } from '../databases/database-admin.ts';

/** Where the history is: MySQL has no schemas within a database. */
const places = {
  postgresql: { schema: 'jig', text: 'text', values: '($1, $2, $3)' },
  mysql: { schema: 'jig_history', text: 'varchar(500)', values: '(?, ?, ?)' },
} as const;

/** What ran in a database that is kept, so that a second start runs only what is new. It is a table of our own in a schema of our own. */
export class MigrationHistory {
  readonly #session: SqlSession;
  readonly #dialect: Dialect;
  /** The checksums of what ran, by kind and name. */
  readonly #ran: ReadonlyMap<string, string>;

  private constructor(session: SqlSession, dialect: Dialect, ran: ReadonlyMap<string, string>) {
    this.#session = session;
    this.#dialect = dialect;
    this.#ran = ran;
  }

  static async open(session: SqlSession, dialect: Dialect): Promise<MigrationHistory> {
    const { schema, text } = places[dialect];
    const columns = `kind varchar(20), name ${text}, checksum varchar(64) not null, ran_at timestamp default current_timestamp`;
    await session.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await session.run(`CREATE TABLE IF NOT EXISTS ${schema}.migration (${columns}, primary key (kind, name))`);
    const rows = await session.rows(`SELECT kind, name, checksum FROM ${schema}.migration`);
    return new MigrationHistory(
      session,
      dialect,
      new Map(rows.map(({ kind, name, checksum }) => [keyOf(String(kind), String(name)), String(checksum)])),
    );
  }

  /** Undefined when it has not run. */
  checksumOf(kind: string, name: string): string | undefined {
    return this.#ran.get(keyOf(kind, name));
  }

  async add(kind: string, name: string, checksum: string): Promise<void> {
    const { schema, values } = places[this.#dialect];
    const statement = `INSERT INTO ${schema}.migration (kind, name, checksum) VALUES ${values}`;
    await this.#session.rows(statement, [kind, name, checksum]);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

const keyOf = (kind: string, name: string) => `${kind}:${name}`;
