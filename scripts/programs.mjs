// The programs beside Node that tests of npm run test:all run, and the Debian packages that bring them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './prepare.mjs';

const programs = {
  // Without the fonts, pages in some scripts are boxes.
  'chromium-headless-shell': ['chromium-headless-shell', 'fonts-noto-core', 'fonts-noto-cjk'],
  'redis-server': ['redis-server'],
  openssl: ['openssl'],
  haproxy: ['haproxy'],
  pg_ctlcluster: ['postgresql'],
  'systemd-analyze': ['systemd'],
  psql: ['postgresql-client'],
  script: ['bsdutils'],
  xmllint: ['libxml2-utils'],
  xmlwf: ['expat'],
  prometheus: ['prometheus'],
  curl: ['curl'],
};

/** What does the same, where the Debian package is not to be had. */
const instead = { 'chromium-headless-shell': 'chromium' };
const ofLinux = new Set(['pg_ctlcluster', 'systemd-analyze']);

/** Debian installs servers such as HAProxy into folders that the PATH of ordinary users does not have. */
export const pathOfPrograms = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter);
const isThere = (program) => pathOfPrograms.split(delimiter).some((folder) => existsSync(join(folder, program)));
const isMissing = (program) =>
  !isThere(program) &&
  !(instead[program] && isThere(instead[program])) &&
  (process.platform === 'linux' || !ofLinux.has(program));

/** Installs the Debian packages of programs that are missing, where it may, and gives the programs that are missing still. */
export async function ensurePrograms(wanted) {
  const missing = [...new Set(wanted)].filter(isMissing);
  if (missing.length === 0 || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    return missing;
  const packages = debianPackages(missing);
  console.log(`Installing the Debian packages ${packages.join(', ')} …`);
  // The tests start what they need themselves: in run level 1, packages start no service of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const doing = 'Installing Debian packages';
  await run('apt-get', ['update', '-qq'], { env, doing });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, doing });
  return missing.filter(isMissing);
}

export const debianPackages = (names) => names.flatMap((name) => programs[name]);

// npm run setup
if (process.argv[1] === import.meta.filename) {
  const missing = await ensurePrograms(Object.keys(programs));
  if (missing.length > 0) {
    console.error(
      `This machine lacks ${missing.join(', ')}. On Debian, as root: apt-get install ${debianPackages(missing).join(' ')}`,
    );
    process.exit(1);
  }
  console.log('This machine has all programs that npm run test:all needs.');
}
