// Run in the service's folder, when all is built: starts the service once, asks it for a few pages, and keeps what V8 has compiled for
// them beside the bundles, for later starts. Without the cache, or with one of another version of Node, a start only takes longer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pages = ['/', '/health', '/nothing', '/clock/time', '/jig/bean/process.json', '/jig/bean/process.xml'];
const deadline = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'jig-code-cache-'));
const { PATH, HOME, TMPDIR } = process.env;
const service = spawn(
  process.execPath,
  ['--import', new URL('collect-code-cache.mjs', import.meta.url).href, join('dist', 'main.js')],
  {
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: '0',
      JIG_HOME: folder,
      JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database,@jig/redis-sessions',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  },
);
const ended = once(service, 'exit');
const timer = setTimeout(() => service.kill('SIGKILL'), deadline);

async function address() {
  let printed = '';
  for await (const text of service.stdout.setEncoding('utf8')) {
    printed += text;
    const found = /listening on (http:\/\/[^\s"]+)[\s"]/.exec(printed)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('the service did not start');
}

try {
  const url = await address();
  for (const page of pages) await (await fetch(url + page)).arrayBuffer();
  const written = once(service, 'message');
  service.send('write');
  await Promise.race([written, ended]);
} catch (error) {
  console.error(`No code cache was made (${error.message}); starts take a little longer without it.`);
} finally {
  service.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
  rmSync(folder, { recursive: true, force: true });
}
