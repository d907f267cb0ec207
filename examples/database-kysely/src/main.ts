import { startDatabase } from '@jig/embedded-database';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

interface Tables {
  book: { title: string; pages: number };
}

await using database = await startDatabase({ migrations: new URL('../migrations', import.meta.url) });
const pool = new pg.Pool({ connectionString: database.url });
const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

await kysely.insertInto('book').values({ title: 'The Waves', pages: 320 }).execute();
const books = await kysely.selectFrom('book').selectAll().orderBy('pages').execute();
for (const { title, pages } of books) console.log(`${title}: ${pages} pages`);
await kysely.destroy();
