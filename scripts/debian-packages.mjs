import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './prepare.mjs';

/** The programs that tests run beside Node, each with its Debian packages and what it is for. */
const programs = {
  'chromium-headless-shell': {
    // Without the fonts, pages in some scripts are boxes.
    packages: ['chromium-headless-shell', 'fonts-noto-core', 'fonts-noto-cjk'],
    purpose: 'opens the pages, with fonts for the scripts of all locales',
    // What does the same in more time, where the package is not to be had: Ubuntu has none.
    instead: 'chromium',
  },
  'redis-server': { packages: ['redis-server'], purpose: 'keeps sessions' },
  openssl: { packages: ['openssl'], purpose: 'makes certificates for servers that tests start' },
  haproxy: { packages: ['haproxy'], purpose: 'balances the load of several instances' },
  pg_ctlcluster: { packages: ['postgresql'], purpose: 'is a PostgreSQL with a standby', isOfLinux: true },
  pgbouncer: { packages: ['pgbouncer'], purpose: 'pools connections to PostgreSQL', isOfLinux: true },
  'systemd-analyze': { packages: ['systemd'], purpose: 'reads the unit shown for deployments', isOfLinux: true },
  mariadbd: { packages: ['mariadb-server-core'], purpose: 'is an engine of the embedded database' },
  mariadb: { packages: ['mariadb-client-core'], purpose: 'connects to the embedded database as people do' },
  'mariadb-dump': { packages: ['mariadb-client'], purpose: 'dumps a database of MariaDB' },
  psql: { packages: ['postgresql-client'], purpose: 'connects to the embedded database as people do' },
  script: { packages: ['bsdutils'], purpose: 'gives a command a terminal' },
  xmllint: { packages: ['libxml2-utils'], purpose: 'reads our XML' },
  xmlwf: { packages: ['expat'], purpose: 'reads our XML, as a second opinion' },
  prometheus: { packages: ['prometheus'], purpose: 'reads our metrics' },
  curl: { packages: ['curl'], purpose: 'sends the requests of the README' },
};

export const allPrograms = Object.keys(programs);

/** Debian installs servers such as HAProxy into folders that the PATH of ordinary users does not have. */
export const pathOfPrograms = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter);
const isThere = (program) => pathOfPrograms.split(delimiter).some((folder) => existsSync(join(folder, program)));

const osRelease = '/etc/os-release';
const isDebian = () => existsSync(osRelease) && /^ID=debian$/m.test(readFileSync(osRelease, 'utf8'));

/** Installs the Debian packages of those programs that are missing, and says before which and why; only says it where it may not install them. */
export function ensureDebianPackages(wanted) {
  const isAllowed = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  const isMissing = (program) => {
    const { instead } = programs[program];
    return !isThere(program) && !(instead && isThere(instead) && !(isAllowed && isDebian()));
  };
  const isForHere = (program) => process.platform === 'linux' || !programs[program].isOfLinux;
  const missing = allPrograms.filter((program) => wanted.includes(program) && isForHere(program) && isMissing(program));
  if (missing.length === 0) return;
  console.log('The tests run programs that this machine does not have:');
  for (const each of missing)
    console.log(`  ${each} ${programs[each].purpose} (${programs[each].packages.join(', ')})`);
  const packages = missing.flatMap((program) => programs[program].packages);
  if (!isAllowed) {
    console.error(`Please install them; on Debian, as root: apt-get install ${packages.join(' ')}`);
    process.exit(1);
  }
  console.log(`Installing the Debian packages ${packages.join(', ')}, which \`npm run setup\` does by itself …`);
  // The tests start what they need themselves: in run level 1, packages start no service of their own, unless systemd does it for them.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

// npm run setup
if (process.argv[1] === import.meta.filename) {
  ensureDebianPackages(allPrograms);
  console.log(`This machine has all programs that the tests need: ${allPrograms.join(', ')}.`);
}
