import {
  type MergeOptions,
  type MergeOutcome,
  mergeAttributes,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';
import { tooLate } from '@jig/sessions/internal';
import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { statementLimit, withMysqlConnection } from '../connection/mysql-client.ts';
import { attributesFromJson, attributesToJson, rethrow } from './attributes-json.ts';
import { type MigrationClient, migrate, migrationTimeout, schemaHeld } from './migrations.ts';
import { ServerClocks } from './server-clocks.ts';

/** Sessions in MySQL or MariaDB: one row each, one round trip for each call. */
export class MysqlSessionStore implements SessionStore {
  readonly #pool: Pool;
  readonly #queryTimeout: number;
  readonly #clocks: ServerClocks;

  /** The time-out is in milliseconds. */
  constructor(pool: Pool, queryTimeout: number) {
    this.#pool = pool;
    this.#queryTimeout = queryTimeout;
    this.#clocks = new ServerClocks(queryTimeout);
  }

  migrate(timeout = migrationTimeout): Promise<void> {
    const work = async (client: PoolConnection) => {
      await client.query(statementLimit(2 * timeout));
      await migrate(mysqlMigrationClient(client, timeout), mysqlSteps);
      await createMergeUntil(client);
      await client.query(statementLimit(this.#queryTimeout));
    };
    return withMysqlConnection(this.#pool, 2 * timeout, work);
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const statement = `SELECT attributes, expires, expires - ${now} AS time_left FROM jig_session WHERE id = ? AND expires > ${now}`;
    const [row] = await this.#rows(statement, [id]);
    if (row === undefined) return undefined;
    const [expires, timeLeft] = [Number(row.expires), Number(row.time_left)];
    return { attributes: attributesFromJson(String(row.attributes)), expires, timeLeft };
  }

  async merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    const { limits, timeToLive, deadline } = options;
    const alone = mergeAttributes(new Map(), entries, limits);
    if (alone.outcome !== 'stored') return alone.outcome;
    const { maximumAttributes, maximumBytes } = limits;
    const values = [id, attributesToJson(entries), timeToLive, maximumAttributes, maximumBytes];
    const call = 'CALL jig_session_merge_until(?, ?, ?, ?, ?, ?)';
    const [row] = await this.#inTime(deadline, async (client, latest) => {
      const [answer] = await client.execute<RowDataPacket[][]>(call, [...values, latest]);
      return answer[0] as [{ outcome: MergeOutcome | 'late'; time?: number }];
    });
    if (row === undefined || row.outcome === 'late') throw tooLate();
    return row.outcome;
  }

  async touch(id: string, timeToLive: number): Promise<void> {
    const statement = `UPDATE jig_session SET expires = ${now} + ? WHERE id = ? AND expires > ${now}`;
    await this.#rows(statement, [timeToLive, id]);
  }

  async destroy(id: string, deadline?: number): Promise<void> {
    const statement = `DELETE FROM jig_session WHERE id = ? AND ${time} < ?`;
    const destroyed = await this.#inTime(deadline, async (client, latest) => {
      const [{ affectedRows }] = await client.execute<ResultSetHeader>(statement, [id, latest]);
      return affectedRows > 0 ? [{}] : [];
    });
    const isLate = async () => (await this.#rows('SELECT 1 FROM jig_session WHERE id = ?', [id])).length > 0;
    if (destroyed.length === 0 && (await isLate())) throw tooLate();
  }

  async count(): Promise<number> {
    const [row] = await this.#rows(`SELECT COUNT(*) AS count FROM jig_session WHERE expires > ${now}`, []);
    return Number(row?.count ?? 0);
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    await this.#rows(`DELETE FROM jig_session WHERE expires <= ${now}`, []);
  }

  async #inTime<Row extends { time?: number }>(
    deadline: number | undefined,
    run: (client: PoolConnection, latest: number) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const work = (client: PoolConnection) =>
      // The pool hands out the same connection in a new wrapping each time.
      this.#clocks.inTime(client.connection, deadline, {
        askTime: async () => (await client.query<RowDataPacket[]>(`SELECT ${time} AS time`))[0][0]?.time,
        run: (latest) => run(client, Math.min(latest, Number.MAX_SAFE_INTEGER)),
      });
    return withMysqlConnection(this.#pool, this.#queryTimeout, work).catch(rethrow);
  }

  async #rows(sql: string, values: (string | number)[]): Promise<RowDataPacket[]> {
    const work = (client: PoolConnection) => client.execute<RowDataPacket[]>(sql, values);
    return (await withMysqlConnection(this.#pool, this.#queryTimeout, work).catch(rethrow))[0];
  }
}

/** The database's clock, in milliseconds: the same for all instances. */
const now = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/** Now, rather than when the statement began: it may have waited for a lock. */
const time = '(UNIX_TIMESTAMP(SYSDATE(6)) * 1000)';

const parameters = `
    IN session_id VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin, IN entries LONGTEXT CHARACTER SET utf8mb4,
    IN time_to_live BIGINT, IN maximum_attributes INT, IN maximum_bytes BIGINT`;

/** Read, judged and written in one call; the insert that may change nothing locks the row before it is read. */
const mergeUntil = `CREATE PROCEDURE jig_session_merge_until(${parameters}, IN deadline DOUBLE)
  MODIFIES SQL DATA
  BEGIN
    DECLARE merged LONGTEXT CHARACTER SET utf8mb4;
    DECLARE bytes BIGINT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
    START TRANSACTION;
    INSERT INTO jig_session (id, attributes, expires) VALUES (session_id, '{}', 0) ON DUPLICATE KEY UPDATE id = session_id;
    SELECT JSON_MERGE_PATCH(IF(expires > ${now}, attributes, '{}'), entries) INTO merged FROM jig_session WHERE id = session_id;
    SELECT COALESCE(SUM(size), 0) INTO bytes FROM JSON_TABLE(merged, '$.*' COLUMNS (size BIGINT PATH '$[1]')) AS attribute;
    IF ${time} >= deadline THEN ROLLBACK; SELECT 'late' AS outcome;
    ELSEIF JSON_LENGTH(merged) > maximum_attributes THEN ROLLBACK; SELECT 'too many attributes' AS outcome, ${time} AS time;
    ELSEIF bytes > maximum_bytes THEN ROLLBACK; SELECT 'too many bytes' AS outcome, ${time} AS time;
    ELSE
      UPDATE jig_session SET attributes = merged, expires = ${now} + time_to_live WHERE id = session_id;
      COMMIT;
      SELECT 'stored' AS outcome, ${time} AS time;
    END IF;
  END`;

/** For instances of 0.1.0, which know no deadline. */
const mergeOfOlder = `CREATE PROCEDURE jig_session_merge(${parameters})
  MODIFIES SQL DATA
  CALL jig_session_merge_until(session_id, entries, time_to_live, maximum_attributes, maximum_bytes, 1e300)`;

const mysqlSteps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE IF NOT EXISTS jig_session (
       id VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
       attributes LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
       expires BIGINT NOT NULL
     ) ENGINE = InnoDB`,
    // Definitions are no transactions here, so a step that was cut short must be able to run again.
    'DROP PROCEDURE IF EXISTS jig_session_merge',
    mergeOfOlder,
  ],
];

const alreadyExists = 'ER_SP_ALREADY_EXISTS';

/** Beside the tables, whose version stays as it is: an instance of an older version would not start on a newer one. */
async function createMergeUntil(client: PoolConnection): Promise<void> {
  const known = `SHOW PROCEDURE STATUS WHERE Db = DATABASE() AND Name = 'jig_session_merge_until'`;
  if ((await client.query<RowDataPacket[]>(known))[0].length > 0) return;
  try {
    await client.query(mergeUntil);
  } catch (error) {
    // Another instance that starts at the same time has done it.
    if ((error as { code?: unknown }).code !== alreadyExists) throw error;
  }
}

const migrationLock = `CONCAT('jig-schema-', LEFT(SHA1(DATABASE()), 32))`;

function mysqlMigrationClient(client: PoolConnection, timeout: number): MigrationClient {
  /** Waits longer than the queries of visitors may take. */
  const query = async (sql: string, values: unknown[] = []): Promise<RowDataPacket[]> =>
    (await client.query<RowDataPacket[]>({ sql, values, timeout: 2 * timeout }))[0];
  return {
    async version() {
      if ((await query(`SHOW TABLES LIKE 'jig\\_schema'`)).length === 0) return 0;
      const [row] = await query('SELECT MAX(version) AS version FROM jig_schema');
      return Number(row?.version ?? 0);
    },
    async exclusively(work) {
      const seconds = Math.ceil(timeout / 1000);
      const [row] = await query(`SELECT GET_LOCK(${migrationLock}, ${seconds}) AS locked`);
      if (row?.locked !== 1) throw schemaHeld(timeout);
      try {
        await query('CREATE TABLE IF NOT EXISTS jig_schema (version INT PRIMARY KEY)');
        await work();
      } finally {
        await query(`SELECT RELEASE_LOCK(${migrationLock})`);
      }
    },
    async apply(statements, version) {
      for (const statement of statements) await query(statement);
      await query('INSERT INTO jig_schema VALUES (?)', [version]);
    },
  };
}
