import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApplicationManifest } from './application-manifest.ts';

/** What the package.json of an add-on says of it. */
export interface AddOnManifest {
  readonly name: string;
  readonly version: string;
  /** The module whose default export is the add-on. */
  readonly module: URL;
  /** The section of the configuration it reads, if any: known without loading it, so that leaving it out does not make its settings unknown. */
  readonly section: string | undefined;
}

interface PackageJson {
  readonly version?: string;
  readonly jig?: {
    readonly addOn?: string | { readonly source?: string; readonly default: string };
    readonly section?: string;
  };
}

/** Whether the host itself runs from its TypeScript sources, as it does in development and in tests; add-ons then do likewise. */
const runsFromSource = import.meta.url.endsWith('.ts');

/** The add-ons among the packages that an application depends on, by name. A dependency that is not installed is none. */
export async function findAddOns({ folder, dependencies }: ApplicationManifest): Promise<readonly AddOnManifest[]> {
  const manifests = await Promise.all(dependencies.map((name) => findAddOn(name, folder)));
  return manifests.filter((manifest) => manifest !== undefined);
}

/** Looks where Node would look: in each `node_modules` on the way up. */
async function findAddOn(name: string, from: string): Promise<AddOnManifest | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const packageFolder = join(folder, 'node_modules', name);
    const manifest = await readJson(join(packageFolder, 'package.json')).catch(() => undefined);
    if (manifest !== undefined) return manifestOf(name, packageFolder, manifest);
    if (dirname(folder) === folder) return undefined;
  }
}

function manifestOf(name: string, folder: string, { version = '', jig }: PackageJson): AddOnManifest | undefined {
  if (jig?.addOn === undefined) return undefined;
  const { source, default: built } = typeof jig.addOn === 'string' ? { default: jig.addOn } : jig.addOn;
  const file = runsFromSource ? (source ?? built) : built;
  return { name, version, module: pathToFileURL(join(folder, file)), section: jig.section };
}

async function readJson(path: string): Promise<PackageJson> {
  return JSON.parse(await readFile(path, 'utf8'));
}
