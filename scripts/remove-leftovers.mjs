import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What the compiler needs to go on from, and what is built later by scripts that clear it themselves. */
const others = new Set([join('dist', '.tsbuildinfo'), join('dist', 'assets')]);

/**
 * Removes from a package's `dist` what this build has not written: bundles have the hash of their content in their names, and sources
 * move, so that files of earlier builds would stay and be published. Declarations are kept while their source exists.
 */
export function removeLeftovers(packageFolder, written, folder = join(packageFolder, 'dist')) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (others.has(relative(packageFolder, path))) continue;
    if (entry.isDirectory()) removeLeftovers(packageFolder, written, path);
    else if (!written.has(path) && !isDeclaration(packageFolder, path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function isDeclaration(packageFolder, path) {
  const source = relative(join(packageFolder, 'dist'), path).replace(/\.d\.ts$/, '.ts');
  return path.endsWith('.d.ts') && existsSync(join(packageFolder, 'src', source));
}
