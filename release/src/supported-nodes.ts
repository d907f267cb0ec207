import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The lowest of each supported range, and the newest of each line: what `engines` promises, tried on these. */
export const supportedNodes = ['20.19.0', '20', '22.12.0', '22', '24', '26'] as const;

/** Fetches a Node from npm, which has the official builds by platform, and returns the path of its binary. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  const place = join(folder, `node-${version}`);
  const build = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  await mkdir(place, { recursive: true });
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...flags, '--prefix', place, `${build}@${version}`], { cwd: place });
  return join(place, 'node_modules', build, 'bin', 'node');
}
