import type { Pool } from 'pg';

/** Notes in a table. */
export class Notes {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async add(text: string): Promise<void> {
    await this.#pool.query('insert into notes (text) values ($1)', [text]);
  }

  async all(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ text: string }>('select text from notes order by id');
    return rows.map(({ text }) => text);
  }
}
