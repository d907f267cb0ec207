import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedPackage } from '../installed-package.ts';
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
  readonly jig?: { readonly addOn?: string; readonly section?: string };
}

/** The add-ons among the packages that an application depends on, by name. A dependency that is not installed is none. */
export async function findAddOns({ folder, dependencies }: ApplicationManifest): Promise<readonly AddOnManifest[]> {
  const manifests = await Promise.all(dependencies.map((name) => findAddOn(name, folder)));
  return manifests.filter((manifest) => manifest !== undefined);
}

async function findAddOn(name: string, from: string): Promise<AddOnManifest | undefined> {
  const folder = installedPackage(name, join(from, 'package.json'));
  if (folder === undefined) return undefined;
  const manifest = await readJson(join(folder, 'package.json')).catch(() => undefined);
  return manifest && manifestOf(name, folder, manifest);
}

function manifestOf(name: string, folder: string, { version = '', jig }: PackageJson): AddOnManifest | undefined {
  if (jig?.addOn === undefined) return undefined;
  return { name, version, module: pathToFileURL(join(folder, jig.addOn)), section: jig.section };
}

async function readJson(path: string): Promise<PackageJson> {
  return JSON.parse(await readFile(path, 'utf8'));
}
