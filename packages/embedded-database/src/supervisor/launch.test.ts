import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DataDirAccess } from './data-dir-access.ts';
import { launch, logExcerpt } from './launch.ts';
import { byWatchdog } from './parent-death-signal.ts';
import { identify } from './process-identity.ts';
import { ServerLog } from './server-log.ts';
import type { ServerProcess } from './server-process.ts';
import type { SupervisedServer } from './supervised-server.ts';

it('launch leaves no process behind when it is stopped just as the server becomes ready', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jig-launch-'));
  const stop = new AbortController();
  const server = {
    title: 'Sleep 1.0',
    stopSteps: [{ signal: 'SIGTERM', timeoutMs: 5000 }],
    deathSignal: 'SIGTERM',
    clearStalePidFile: async () => {},
    command: () => ({ file: 'sleep', args: ['300'] }),
    isStuck: () => false,
    isReady: async () => {
      stop.abort();
      return true;
    },
  } as unknown as SupervisedServer;
  const context = {
    folder,
    access: await DataDirAccess.to(folder, undefined, { byDescriptor: false }),
    user: undefined,
    log: new ServerLog({ path: join(folder, 'server.log') }),
    parentDeathSignal: byWatchdog,
  };
  const runs: ServerProcess[] = [];
  const onSpawn = async (run: ServerProcess) => void runs.push(run);
  const launched = launch(server, context, onSpawn, { timeout: 5000, stop: stop.signal });
  await expect(launched).rejects.toMatchObject({ code: 'JIG_DATABASE_STOPPED' });
  expect(await identify(runs[0]?.identity.pid ?? 0)).toBeUndefined();
  await context.log.close();
  await rm(folder, { recursive: true, force: true });
});

it('logExcerpt gives the errors of a PostgreSQL without the times', () => {
  const lines = [
    '2026-11-15 06:50:28.980 UTC [6348] FATAL:  could not access file "nothing": No such file or directory',
    '2026-11-15 06:50:28.982 UTC [6348] LOG:  database system is shut down',
  ];
  expect(logExcerpt(lines)).toBe('FATAL: could not access file "nothing": No such file or directory');
});

it('logExcerpt gives the errors of a MariaDB without the times', () => {
  const lines = ['2026-11-15  6:50:28 0 [Note] Starting', '2026-11-15  6:50:28 0 [ERROR] Aborting', 'bye'];
  expect(logExcerpt(lines)).toBe('[ERROR] Aborting');
});

it('logExcerpt gives the last lines when none is an error, and nothing when there are none', () => {
  expect(logExcerpt(['one', 'two', '', 'three', 'four'])).toBe('two / three / four');
  expect(logExcerpt([])).toBe('');
});
