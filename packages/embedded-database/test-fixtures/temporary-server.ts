import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ConnectionOptions } from '../src/connection/address.ts';
import { EmbeddedDatabase } from '../src/server/embedded-database.ts';
import { requirePrograms } from '../src/server/programs.ts';
import { runAs } from '../src/server/run-as.ts';
import { type DataTemplate, dataTemplate, forTests } from '../src/temporary/data-template.ts';
import { temporaryRoot } from '../src/temporary/temporary-home.ts';

/** A server that logs nothing and keeps nothing. */
export const quietServer = {
  port: 0,
  user: 'nobody',
  temporary: true,
  settings: {},
  startTimeout: 100_000,
  log: { info: () => {}, warn: () => {}, error: () => {} },
};

/** The files of a new database, which this machine initialises once. */
export async function testTemplate(): Promise<DataTemplate> {
  const user = await runAs(quietServer.user);
  const programs = await requirePrograms({}, user);
  const root = await temporaryRoot(user);
  return dataTemplate({ ...quietServer, root, programs, locale: undefined, user });
}

/** A real server with nothing in it, for the time of some tests: a copy of one that was initialised once. */
export async function temporaryServer(): Promise<{ readonly connection: ConnectionOptions; stop(): Promise<void> }> {
  const template = await testTemplate();
  const home = await mkdtemp(join(tmpdir(), 'jig-database-'));
  await chmod(home, 0o755);
  await copyFile(template.passwordFile, join(home, basename(template.passwordFile)));
  const { settings } = forTests;
  const database = new EmbeddedDatabase({ ...quietServer, home, settings, fill: (folder) => template.copyTo(folder) });
  await database.start();
  const stop = async () => {
    await database.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { connection: database.connection(), stop };
}
