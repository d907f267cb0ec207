import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quietServer } from '../test-fixtures/temporary-server.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { postgresql } from './engines/postgresql.ts';

it('start() makes nothing when its signal is already aborted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jig-database-'));
  const database = new EmbeddedDatabase({
    engine: postgresql,
    home: join(folder, 'database'),
    ...quietServer,
  });
  try {
    await expect(database.start(AbortSignal.abort(new Error('called off')))).rejects.toThrow('called off');
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
