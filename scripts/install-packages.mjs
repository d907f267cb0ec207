import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where registries keep a package, by the name and version that a lock file has for it. */
function addressIn(registry, name, version) {
  return `${registry.replace(/\/$/, '')}/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
}

/** The lock file with the address of each package in the registry that npm is set to. */
function lockWithAddresses(folder) {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  for (const [path, locked] of Object.entries(lock.packages)) {
    const name = locked.name ?? path.split('node_modules/').at(-1);
    if (locked.integrity) locked.resolved ??= addressIn(registry, name, locked.version);
  }
  return JSON.stringify(lock);
}

function npmCi(folder, options) {
  return spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options], {
    cwd: folder,
    stdio: 'inherit',
  });
}

/**
 * Runs `npm ci` in a folder; its lock file names no registry.
 * npm would ask the registry for all versions of every package then, only to learn its address: half of the time that
 * installing takes. So it gets the usual addresses beside the lock file for as long as it runs. Where they do not hold,
 * it asks. What it gets must have the checksum of the lock file in any case.
 * @returns {boolean} whether the packages are installed
 */
export function installPackages(folder, options = []) {
  const withAddresses = join(folder, 'npm-shrinkwrap.json');
  const waitForNpm = () => undefined;
  process.on('SIGINT', waitForNpm);
  try {
    writeFileSync(withAddresses, lockWithAddresses(folder));
    const { status, signal } = npmCi(folder, options);
    if (status === 0 || signal) return status === 0;
  } finally {
    rmSync(withAddresses, { force: true });
    process.off('SIGINT', waitForNpm);
  }
  console.log('That failed. Installing once more, with the addresses that the registry gives …');
  return npmCi(folder, options).status === 0;
}
