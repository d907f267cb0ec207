import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const flags = ['--json', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=silent'];

/** npm tries each package three times and waits 70 s in all, one package after the other: too long without a network. */
const shortWaits = ['--fetch-retry-mintimeout=100', '--fetch-retry-maxtimeout=1000'];

/** Installs packages in a folder, and returns npm's own sentence when that fails. */
export async function installProblems(folder: string, packages: readonly string[]): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  try {
    const args = ['install', ...flags, ...shortWaits, '--prefix', folder, ...packages];
    await promisify(execFile)('npm', args, { cwd: folder });
    return [];
  } catch (error) {
    const { stdout } = error as { readonly stdout: string };
    const { error: reason } = JSON.parse(stdout) as { readonly error: { readonly summary: string } };
    return [`npm install failed: ${reason.summary}`];
  }
}
