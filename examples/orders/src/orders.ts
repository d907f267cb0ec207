import type { DatabasePool } from '@jig/embedded-database/add-on';

export interface NewOrder {
  readonly customer: string;
  readonly item: string;
  readonly amount: number;
}

export interface Order extends NewOrder {
  readonly id: number;
  /** When it was placed, in ISO 8601. */
  readonly placed: string;
}

/** `to_char` gives the time as a text, and the id fits a number. */
const columns = `id::int, customer, item, amount, to_char(placed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS placed`;

/** The orders, in a table of the embedded PostgreSQL. */
export class Orders {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async start(): Promise<void> {
    await this.#pool.postgresql().query(`
      CREATE TABLE IF NOT EXISTS orders (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        customer text NOT NULL,
        item text NOT NULL,
        amount int NOT NULL,
        placed timestamptz NOT NULL DEFAULT now()
      )`);
  }

  /** The newest first. */
  async list(limit: number): Promise<readonly Order[]> {
    const text = `SELECT ${columns} FROM orders ORDER BY orders.id DESC LIMIT $1`;
    return (await this.#pool.postgresql().query<Order>(text, [limit])).rows;
  }

  async find(id: number): Promise<Order | undefined> {
    const text = `SELECT ${columns} FROM orders WHERE orders.id = $1`;
    return (await this.#pool.postgresql().query<Order>(text, [id])).rows[0];
  }

  async add({ customer, item, amount }: NewOrder): Promise<Order | undefined> {
    const text = `INSERT INTO orders (customer, item, amount) VALUES ($1, $2, $3) RETURNING ${columns}`;
    return (await this.#pool.postgresql().query<Order>(text, [customer, item, amount])).rows[0];
  }

  /** Whether there was one. */
  async remove(id: number): Promise<boolean> {
    return (await this.#pool.postgresql().query('DELETE FROM orders WHERE id = $1', [id])).rowCount === 1;
  }
}
