import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hostError } from '../errors.ts';
import { installedPackage } from '../installed-package.ts';
import type { PublishedLibrary } from './assets.ts';

/**
 * An npm package to publish, in the version that is installed for the module at `from` (its `import.meta.url`).
 * `files` are the published names with their paths inside the package.
 */
export function installedLibrary(
  library: string,
  from: string,
  files: Readonly<Record<string, string>>,
): PublishedLibrary {
  const folder = installedPackage(library, fileURLToPath(from));
  if (folder === undefined) {
    throw hostError(
      'JIG_ASSET_UNPUBLISHABLE',
      `The library ${library} is not installed; npm install ${library} does it.`,
      {
        fields: { library },
      },
    );
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const base = pathToFileURL(`${folder}/`);
  return {
    library,
    version,
    files: Object.fromEntries(Object.entries(files).map(([name, path]) => [name, new URL(path, base)])),
  };
}
