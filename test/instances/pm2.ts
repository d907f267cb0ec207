// Installs PM2 from npm and tries its cluster mode, which takes half a minute: `node --import tsx test/instances/pm2.ts`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instancesOf, runtimeFolder } from './start-application.ts';

const folder = mkdtempSync(join(tmpdir(), 'jig-pm2-'));
const runtime = runtimeFolder();
const port = 24_973;
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, NODE_ENV: 'development', PM2_HOME: folder, XDG_RUNTIME_DIR: runtime, PORT: String(port) };
const pm2 = (...given: readonly string[]) =>
  execFileSync(join(folder, 'node_modules/.bin/pm2'), given, { env, stdio: 'ignore' });

execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'pm2'], { stdio: 'inherit' });
try {
  pm2('start', fileURLToPath(new URL('applications/pm2.mjs', import.meta.url)), '-i', '4');
  let listed = await instancesOf(url).catch(() => []);
  for (const end = Date.now() + 30_000; listed.length < 4 && Date.now() < end; )
    listed = await instancesOf(url).catch(() => []);
  console.log(listed.map(({ id, label }) => `${label} is ${id}`).join('\n'));
  let astray = 0;
  for (let count = 0; count < 400; count++) {
    const { id, pid } = listed[count % listed.length] ?? { id: '', pid: 0 };
    const shown = await (await fetch(`${url}/jig/bean/who.json?instance=${id}`)).json();
    if (shown.pid !== pid) astray++;
  }
  const all = await (await fetch(`${url}/jig/bean/who.json?instance=all`)).json();
  console.log(`${Object.keys(all).length} of 4 side by side, ${astray} of 400 requests astray`);
  process.exitCode = Object.keys(all).length === 4 && astray === 0 ? 0 : 1;
} finally {
  pm2('kill');
  for (const each of [folder, runtime]) rmSync(each, { recursive: true, force: true });
}
