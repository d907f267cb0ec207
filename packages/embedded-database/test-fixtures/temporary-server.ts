import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ConnectionOptions } from '../src/connection/connection-options.ts';
import { EmbeddedDatabase } from '../src/embedded-database.ts';
import type { Engine } from '../src/engines/engine.ts';
import { runAs } from '../src/supervisor/run-as.ts';
import { DataTemplate } from '../src/temporary/data-template.ts';
import { temporaryRoot } from '../src/temporary/temporary-home.ts';

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

/** The files of a new database, which this machine initialises once. */
export async function testTemplate(engine: Engine): Promise<DataTemplate> {
  const user = await runAs(quietServer.user);
  const { log } = quietServer;
  return DataTemplate.ensure({ root: await temporaryRoot(user), engine, user, log, startTimeout: 100_000 });
}

/** A real server with nothing in it, for the time of some tests: a copy of one that was initialised once. */
export async function temporaryServer(
  engine: Engine,
): Promise<{ readonly connection: ConnectionOptions; stop(): Promise<void> }> {
  const template = await testTemplate(engine);
  const home = await mkdtemp(join(tmpdir(), 'jig-database-'));
  await chmod(home, 0o755);
  await copyFile(template.passwordFile, join(home, basename(template.passwordFile)));
  const { settings } = engine.forTests;
  const fill = (folder: string) => template.copyTo(folder);
  const database = new EmbeddedDatabase({ ...quietServer, engine, home, settings, fill });
  await database.start();
  const stop = async () => {
    await database.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { connection: database.connection(), stop };
}
