import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from '../src/connection/connection-options.ts';
import { EmbeddedDatabase } from '../src/embedded-database.ts';
import type { Engine } from '../src/engines/engine.ts';

/** A server that logs nothing and keeps nothing. */
export const quietServer = {
  port: 0,
  user: 'nobody',
  temporary: true,
  settings: {},
  startTimeout: 30_000,
  probeInterval: 60_000,
  log: { info: () => {}, warn: () => {}, error: () => {} },
};

/** A real server with nothing in it, for the time of some tests. */
export async function temporaryServer(
  engine: Engine,
): Promise<{ readonly connection: ConnectionOptions; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'jig-database-'));
  await chmod(home, 0o755);
  const database = new EmbeddedDatabase({ engine, home: join(home, 'database'), ...quietServer });
  await database.start();
  const stop = async () => {
    await database.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { connection: database.connection(), stop };
}
