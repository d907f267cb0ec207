import {
  type MergeOutcome,
  mergeAttributes,
  type SessionAttributes,
  type SessionLimits,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { statementLimit } from '../../pool/mysql-config.ts';
import { withMysqlConnection } from '../../pool/mysql-connection.ts';
import { attributesFromJson, attributesToJson } from '../attributes-json.ts';
import { migrate, migrationPatience } from '../migrations.ts';
import { mysqlMigrationClient, mysqlSteps, now } from './schema.ts';

export interface MysqlSessionStoreOptions {
  readonly timeToLive: number;
  readonly queryTimeout: number;
}

/** Sessions in MySQL or MariaDB: one row each, one round trip for each call. */
export class MysqlSessionStore implements SessionStore {
  readonly #pool: Pool;
  readonly #options: MysqlSessionStoreOptions;

  constructor(pool: Pool, options: MysqlSessionStoreOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  migrate(patience = migrationPatience): Promise<void> {
    const work = async (client: PoolConnection) => {
      await client.query(statementLimit(2 * patience));
      await migrate(mysqlMigrationClient(client, patience), mysqlSteps);
      await client.query(statementLimit(this.#options.queryTimeout));
    };
    return withMysqlConnection(this.#pool, 2 * patience, work);
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const [row] = await this.#rows(`SELECT attributes, expires FROM jig_session WHERE id = ? AND expires > ${now}`, [
      id,
    ]);
    return row && { attributes: attributesFromJson(String(row.attributes)), expires: Number(row.expires) };
  }

  async merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    const alone = mergeAttributes(new Map(), entries, limits);
    if (alone.outcome !== 'stored') return alone.outcome;
    const { maximumAttributes, maximumBytes } = limits;
    const values = [id, attributesToJson(entries), this.#options.timeToLive, maximumAttributes, maximumBytes];
    const answer: unknown = await this.#rows('CALL jig_session_merge(?, ?, ?, ?, ?)', values);
    return (answer as [[{ outcome: MergeOutcome }]])[0][0].outcome;
  }

  async touch(id: string): Promise<void> {
    const values = [this.#options.timeToLive, id];
    await this.#rows(`UPDATE jig_session SET expires = ${now} + ? WHERE id = ? AND expires > ${now}`, values);
  }

  async destroy(id: string): Promise<void> {
    await this.#rows('DELETE FROM jig_session WHERE id = ?', [id]);
  }

  async count(): Promise<number> {
    const [row] = await this.#rows(`SELECT COUNT(*) AS count FROM jig_session WHERE expires > ${now}`, []);
    return Number(row?.count ?? 0);
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    await this.#rows(`DELETE FROM jig_session WHERE expires <= ${now}`, []);
  }

  async #rows(sql: string, values: (string | number)[]): Promise<RowDataPacket[]> {
    const work = (client: PoolConnection) => client.execute<RowDataPacket[]>(sql, values);
    return (await withMysqlConnection(this.#pool, this.#options.queryTimeout, work))[0];
  }
}
