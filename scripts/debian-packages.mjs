import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './prepare.mjs';

/** What the tests need beside Node, by the program that shows that it is there. */
const packages = new Map([
  ['chromium', 'chromium'],
  ['redis-server', 'redis-server'],
  ['mariadbd', 'mariadb-server-core'],
  ['mariadb', 'mariadb-client-core'],
  ['xmllint', 'libxml2-utils'],
  ['curl', 'curl'],
  ['xmlwf', 'expat'],
]);

/** Fonts without which pages in these scripts are boxes. */
const fonts = ['fonts-noto-core', 'fonts-noto-cjk'];

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)));

/** Installs the Debian packages that the tests need and that are missing; says which, where it may not. */
export function ensureDebianPackages() {
  const missing = [...packages].filter(([program]) => !isThere(program)).map(([, name]) => name);
  if (missing.length === 0) return;
  const isAllowed = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!isAllowed) {
    console.error(`The tests need the Debian packages ${missing.join(', ')}: please install them.`);
    process.exit(1);
  }
  const wanted = missing.includes('chromium') ? [...missing, ...fonts] : missing;
  console.log(`Installing the Debian packages ${wanted.join(', ')} …`);
  // The tests start what they need themselves: in run level 1, packages start no service of their own, unless systemd does it for them.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], { env });
}
