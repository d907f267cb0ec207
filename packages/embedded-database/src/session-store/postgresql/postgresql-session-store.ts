import {
  attributesSize,
  Batcher,
  type MergeOutcome,
  type SessionAttributes,
  type SessionLimits,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';
import type { Pool, QueryResultRow } from 'pg';
import { attributesFromJson, attributesToJson } from '../attributes-json.ts';
import { migrate, migrationPatience } from '../migrations.ts';
import { postgresqlMigrationClient, postgresqlSteps } from './schema.ts';
import { statements } from './statements.ts';

interface Merge {
  readonly id: string;
  readonly json: string;
  readonly limits: SessionLimits;
}

/** Enough to keep the server busy while answers are on their way; more would only make smaller batches. */
const concurrency = 2;
const maximumSize = 100;

/** Sessions in PostgreSQL: one row each, one round trip for each call, which calls at the same time share. */
export class PostgresqlSessionStore implements SessionStore {
  readonly #pool: Pool;
  readonly #timeToLive: number;
  readonly #reads: Batcher<string, SessionRecord | undefined>;
  readonly #merges: Batcher<Merge, MergeOutcome>;

  constructor(pool: Pool, { timeToLive }: { readonly timeToLive: number }) {
    this.#pool = pool;
    this.#timeToLive = timeToLive;
    this.#reads = new Batcher({ run: (ids) => this.#readAll(ids), mayJoin: () => true, concurrency, maximumSize });
    this.#merges = new Batcher({ run: (merges) => this.#mergeAll(merges), mayJoin, concurrency, maximumSize });
  }

  async migrate(patience = migrationPatience): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await migrate(postgresqlMigrationClient(client, patience), postgresqlSteps);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#reads.ask(id);
  }

  async merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    if (attributesSize(entries) > limits.maximumBytes) return 'too many bytes';
    return this.#merges.ask({ id, json: attributesToJson(entries), limits });
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

  async #readAll(ids: readonly string[]): Promise<readonly (SessionRecord | undefined)[]> {
    const rows = await this.#rows<{ id: string; attributes: string; expires: number }>(statements.read, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      return row && { attributes: attributesFromJson(row.attributes), expires: Math.round(row.expires) };
    });
  }

  async #mergeAll(merges: readonly Merge[]): Promise<readonly MergeOutcome[]> {
    const sessions = `{${merges.map(({ id, json }) => `${JSON.stringify(id)}:${json}`).join()}}`;
    const { maximumAttributes = 0, maximumBytes = 0 } = merges[0]?.limits ?? {};
    const values = [sessions, this.#timeToLive, maximumAttributes, maximumBytes];
    const stored = new Set((await this.#rows<{ id: string }>(statements.merge, values)).map(({ id }) => id));
    return Promise.all(merges.map(async (merge) => (stored.has(merge.id) ? 'stored' : this.#whyRefused(merge))));
  }

  async #whyRefused({ id, json, limits }: Merge): Promise<MergeOutcome> {
    const [wouldBe] = await this.#rows<{ count: number }>(statements.wouldBe, [id, json]);
    return wouldBe !== undefined && wouldBe.count > limits.maximumAttributes ? 'too many attributes' : 'too many bytes';
  }

  async #rows<Row extends QueryResultRow>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> {
    return (await this.#pool.query<Row>({ ...statement, values })).rows;
  }
}

/** A statement changes a row only once, and has one pair of limits. */
function mayJoin({ id, limits }: Merge, others: readonly Merge[]): boolean {
  const [first] = others;
  if (first === undefined) return true;
  const { maximumAttributes, maximumBytes } = first.limits;
  const isLimitedAlike = limits.maximumAttributes === maximumAttributes && limits.maximumBytes === maximumBytes;
  return isLimitedAlike && !others.some((other) => other.id === id);
}
