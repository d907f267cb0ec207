import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The compiler's own notes, without which it begins anew; and what is made later, by those who clear it themselves. */
const others = new Set([join('dist', '.tsbuildinfo'), join('dist', 'assets')]);

/** Whether the compiler writes it for a source that is still there. */
const isDeclaration = (path) =>
  path.endsWith('.d.ts') && existsSync(path.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts'));

/**
 * Removes from `dist` all but what was written now: bundles are named for what they hold, and sources move, so that those of earlier
 * builds would stay, and be published. Run in a package's folder, when its bundles are written.
 */
export function removeLeftovers(written, folder = 'dist') {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (others.has(path)) continue;
    if (entry.isDirectory()) removeLeftovers(written, path);
    else if (!written.has(path) && !isDeclaration(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
