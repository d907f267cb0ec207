import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes from a package's `dist` the files that this build has not written: bundles have the hash of their content in their names, and
 * sources move, so that files of earlier builds would stay and be published. What the compiler goes on from, assets, which are built
 * later, and declarations whose source exists are kept.
 */
export function removeLeftovers(packageFolder, written) {
  for (const file of readdirSync(join(packageFolder, 'dist'), { recursive: true })) {
    const path = join(packageFolder, 'dist', file);
    const source = join(packageFolder, 'src', file.replace(/\.d\.ts$/, '.ts'));
    const isKept = /^(?:\.tsbuildinfo$|assets\b)/.test(file) || written.has(path) || statSync(path).isDirectory();
    if (!isKept && !(file.endsWith('.d.ts') && existsSync(source))) rmSync(path);
  }
}
