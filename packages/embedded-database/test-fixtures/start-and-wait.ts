import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirAccess } from '../src/supervisor/data-dir-access.ts';
import { byWatchdog, detectParentDeathSignal } from '../src/supervisor/parent-death-signal.ts';
import { ServerLog } from '../src/supervisor/server-log.ts';
import { ServerProcess } from '../src/supervisor/server-process.ts';

/** An application that starts a server, prints its pid, and waits to be killed. */
const parentDeathSignal = process.argv[2] === 'kernel' ? await detectParentDeathSignal() : byWatchdog;
const server = await ServerProcess.spawn({
  command: { file: 'sleep', args: ['300'] },
  folder: tmpdir(),
  access: await DataDirAccess.to(tmpdir(), undefined, { byDescriptor: false }),
  user: undefined,
  log: new ServerLog({ path: join(tmpdir(), 'jig-never-written.log') }),
  parentDeathSignal,
  deathSignal: 'SIGINT',
});
// The watchdog notes the start time of what it watches first.
setTimeout(() => console.log(server.identity.pid), 300);
