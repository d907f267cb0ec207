import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
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

/** A real server with nothing in it, for the time of some tests. */
export async function temporaryServer(
  engine: Engine,
): Promise<{ readonly connection: ConnectionOptions; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-database-'));
  await chmod(folder, 0o755);
  const home = join(folder, 'database');
  await mkdir(home);
  const template = await testTemplate(engine);
  await copyFile(template.passwordFile, join(home, basename(template.passwordFile)));
  const { settings } = engine.forTests;
  const fill = (data: string) => template.copyTo(data);
  const database = new EmbeddedDatabase({ engine, home, ...quietServer, settings, fill });
  await database.start();
  const stop = async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { connection: database.connection(), stop };
}
