import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServer } from '../src/embedded-server.ts';
import type { Engine, EngineServer } from '../src/engines/engine.ts';

/** A server that says nothing and leaves nothing. */
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
export async function temporaryServer(engine: Engine): Promise<{ server: EngineServer; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'jig-database-'));
  await chmod(home, 0o755);
  const embedded = await EmbeddedServer.create({
    engine,
    home: join(home, 'database'),
    ...quietServer,
  });
  await embedded.start();
  if (embedded.server === undefined) throw new Error('the server was not prepared');
  const stop = async () => {
    await embedded.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { server: embedded.server, stop };
}
