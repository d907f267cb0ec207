import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage, hostError } from '../errors.ts';

/** What the package.json of an application says of it. */
export interface ApplicationManifest {
  readonly folder: string;
  /** The packages that it depends on, by name. */
  readonly dependencies: readonly string[];
  /** In the words of SPDX; undefined when it says none, or names no public one. */
  readonly licence: string | undefined;
}

interface PackageJson {
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What npm allows that is no licence of SPDX. */
const unlisted = /^(?:UNLICENSED$|SEE LICENSE IN )/;

export async function readApplicationManifest(url: URL): Promise<ApplicationManifest> {
  try {
    const file = fileURLToPath(url);
    const { license, dependencies, optionalDependencies } = JSON.parse(await readFile(file, 'utf8')) as PackageJson;
    return {
      folder: dirname(file),
      dependencies: Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
      licence: typeof license === 'string' && !unlisted.test(license) ? license : undefined,
    };
  } catch (error) {
    const sentence = `The application's package.json cannot be read: ${errorMessage(error)}. The option manifest must be its URL.`;
    throw hostError('JIG_MANIFEST_UNREADABLE', sentence, { cause: error, fields: { manifest: String(url) } });
  }
}
