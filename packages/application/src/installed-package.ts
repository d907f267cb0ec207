import { existsSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is used here of the API of Yarn Plug'n'Play, with which there is no node_modules: https://yarnpkg.com/advanced/pnpapi */
interface PlugAndPlay {
  resolveToUnqualified(name: string, from: string): string | null;
}

/**
 * The folder of a package as the file at `from` would find it; undefined when it is not installed.
 * Not found by `require.resolve`, since a package may hide its package.json behind its exports.
 */
export function installedPackage(name: string, from: string): string | undefined {
  const { findPnpApi } = Module as { readonly findPnpApi?: (path: string) => PlugAndPlay | null };
  const api = findPnpApi?.(from);
  if (api) return plugAndPlayFolder(api, name, from);
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
}

/** It throws for a package that is not installed and for one that `from` does not depend on. */
function plugAndPlayFolder(api: PlugAndPlay, name: string, from: string): string | undefined {
  try {
    return api.resolveToUnqualified(name, from) ?? undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
