import { connectDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { Notes } from '../src/notes.ts';

// The database of this file: DATABASE_URL names it, and no other file uses it.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const server = connectDatabase();

afterAll(() => Promise.all([pool.end(), server.close()]));

it('adds a note in the database of the file', async () => {
  const notes = new Notes(pool);
  await notes.add('buy milk');
  expect(await notes.all()).toEqual(['buy milk']);
});

it.each(['one', 'two', 'three'])('has a database of its own: %s', async (text) => {
  await using copy = await server.clone();
  const own = new pg.Pool({ connectionString: copy.url });
  const notes = new Notes(own);
  await notes.add(text);
  expect(await notes.all()).toEqual([text]);
  await own.end();
});
