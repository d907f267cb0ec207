import {
  type MergeOutcome,
  mergeAttributes,
  type SessionAttributes,
  type SessionLimits,
  type SessionRecord,
  type SessionStore,
} from '@jig/application';
import type { Pool, QueryResultRow } from 'pg';
import { attributesFromJson, attributesToJson } from '../attributes-json.ts';
import { migrate } from '../migrations.ts';
import { postgresqlMigrationClient, postgresqlSteps } from './schema.ts';
import { statements } from './statements.ts';

/** Sessions in PostgreSQL: one row each, one round trip for each call. */
export class PostgresqlSessionStore implements SessionStore {
  readonly #pool: Pool;
  readonly #timeToLive: number;

  constructor(pool: Pool, { timeToLive }: { readonly timeToLive: number }) {
    this.#pool = pool;
    this.#timeToLive = timeToLive;
  }

  async migrate(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await migrate(postgresqlMigrationClient(client), postgresqlSteps);
    } finally {
      client.release();
    }
  }

  async read(id: string): Promise<SessionRecord | undefined> {
    const [row] = await this.#rows<{ attributes: string; expires: number }>(statements.read, [id]);
    if (row === undefined) return undefined;
    return { attributes: attributesFromJson(row.attributes), expires: Math.round(row.expires) };
  }

  async merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    const alone = mergeAttributes(new Map(), entries, limits);
    if (alone.outcome !== 'stored') return alone.outcome;
    const { maximumAttributes, maximumBytes } = limits;
    const json = attributesToJson(entries);
    const values = [id, json, this.#timeToLive, maximumAttributes, maximumBytes];
    const { rowCount } = await this.#pool.query({ ...statements.merge, values });
    if (rowCount === 1) return 'stored';
    const [wouldBe] = await this.#rows<{ count: number }>(statements.wouldBe, [id, json]);
    return wouldBe !== undefined && wouldBe.count > maximumAttributes ? 'too many attributes' : 'too many bytes';
  }

  async touch(id: string): Promise<void> {
    await this.#rows(statements.touch, [id, this.#timeToLive]);
  }

  async destroy(id: string): Promise<void> {
    await this.#rows(statements.destroy, [id]);
  }

  async count(): Promise<number> {
    const [row] = await this.#rows<{ count: number }>(statements.count, []);
    return row?.count ?? 0;
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    await this.#rows(statements.sweep, []);
  }

  async #rows<Row extends QueryResultRow>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> {
    return (await this.#pool.query<Row>({ ...statement, values })).rows;
  }
}
