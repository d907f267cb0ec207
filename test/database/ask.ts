import pg from 'pg';

/** The values of all rows that PostgreSQL answers with, over a connection of its own. */
export async function ask(config: string | pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}
