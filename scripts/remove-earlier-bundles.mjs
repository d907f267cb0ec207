import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Bundles are named for what they hold, so that those of earlier builds would stay. Run in a package's folder. */
export function removeEarlierBundles() {
  const earlier = existsSync('dist') ? readdirSync('dist').filter((file) => file.startsWith('bundle-')) : [];
  for (const file of earlier) rmSync(join('dist', file));
}
