import { join } from 'node:path';

/** The lowest of each supported range, and the newest of each line: what `engines` promises, tried on these. */
export const supportedNodes = ['20.19.0', '20', '22.12.0', '22', '24', '26'] as const;

/** npm has the official builds, by platform. */
const build = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const nodePackage = (version: string) => `${build}@${version}`;

/** The path of the binary, from the folder in which the package is installed. */
export const nodeBinary = join('node_modules', build, 'bin', 'node');
