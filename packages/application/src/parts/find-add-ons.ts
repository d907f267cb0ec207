import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorMessage, hostError } from '../errors.ts';
import { fileErrorMessage } from '../files.ts';
import { type AddOn, sectionFor, sectionOf } from './feature.ts';
import { attempt, type Part, unusable } from './part.ts';

/** What is read of the package.json of an application. */
export interface ApplicationManifest {
  readonly folder: string;
  /** The packages that it depends on, by name. */
  readonly dependencies: readonly string[];
  /** An SPDX identifier; undefined when there is none. */
  readonly licence: string | undefined;
}

interface PackageJson {
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What npm allows as `license` beside SPDX identifiers. */
const notSpdx = /^(?:UNLICENSED$|SEE LICENSE IN )/;

export async function readApplicationManifest(url: URL): Promise<ApplicationManifest> {
  try {
    const file = fileURLToPath(url);
    const { license, dependencies, optionalDependencies } = JSON.parse(await readFile(file, 'utf8')) as PackageJson;
    return {
      folder: dirname(file),
      dependencies: Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
      licence: typeof license === 'string' && !notSpdx.test(license) ? license : undefined,
    };
  } catch (error) {
    const sentence = `The application's package.json cannot be read: ${errorMessage(error)}. The option manifest must be its URL.`;
    throw hostError('JIG_MANIFEST_UNREADABLE', sentence, { cause: error, fields: { manifest: String(url) } });
  }
}

/** What is read of the package.json of an add-on. */
export interface AddOnManifest {
  readonly name: string;
  readonly version: string;
  /** The module whose default export is the add-on. */
  readonly module: URL;
  /** The section of its settings, which stay valid when the add-on is excluded. */
  readonly section: string | undefined;
  /** The beans it defines, for the error about a missing bean when the add-on is off. */
  readonly beans: readonly string[];
}

/** An add-on whose module is not loaded. */
export type AddOnPackage = Omit<AddOnManifest, 'module'>;

interface FoundAddOns {
  readonly included: readonly AddOnManifest[];
  /** Includes add-ons whose package.json cannot be read; only their names are known. */
  readonly excluded: readonly AddOnPackage[];
  /** Dependencies of the application that are not installed. */
  readonly notInstalled: readonly string[];
}

/** The add-ons among the packages that an application depends on. An unreadable package.json fails the start, unless the package is excluded. */
export async function findAddOns(
  { folder: from, dependencies }: ApplicationManifest,
  excludedNames: ReadonlySet<string>,
): Promise<FoundAddOns> {
  const included: AddOnManifest[] = [];
  const excluded: AddOnPackage[] = [];
  const notInstalled: string[] = [];
  for (const name of dependencies) {
    const folder = installedPackage(name, join(from, 'package.json'));
    if (folder === undefined) {
      notInstalled.push(name);
      continue;
    }
    const isExcluded = excludedNames.has(name);
    try {
      const manifest = await readAddOnManifest(name, folder);
      if (manifest !== undefined) (isExcluded ? excluded : included).push(manifest);
    } catch (error) {
      if (isExcluded) excluded.push({ name, version: '', section: undefined, beans: [] });
      else throw unusableManifest(name, error);
    }
  }
  return { included, excluded, notInstalled };
}

function unusableManifest(name: string, error: unknown) {
  const sentence = `The package.json of the dependency ${name} cannot be used: ${errorMessage(error)}; install it again, or leave it out with addOns.exclude.`;
  return hostError('JIG_ADD_ON_UNUSABLE', sentence, { cause: error, fields: { addOn: name } });
}

/** Undefined for a package that is no add-on. */
async function readAddOnManifest(name: string, folder: string): Promise<AddOnManifest | undefined> {
  const { version, jig } = parse(await readText(join(folder, 'package.json')));
  const { addOn, section, beans = [] } = jig ?? {};
  if (addOn === undefined) return undefined;
  if (typeof addOn !== 'string') throw new Error('"addOn" below "jig" must be the path of the module');
  if (section !== undefined && typeof section !== 'string')
    throw new Error('"section" below "jig" must be the name of a section of the configuration');
  if (!Array.isArray(beans) || !beans.every((bean) => typeof bean === 'string'))
    throw new Error('"beans" below "jig" must be a list of names of beans');
  const module = pathToFileURL(join(folder, addOn));
  return { name, version: typeof version === 'string' ? version : '', module, section, beans };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(fileErrorMessage(error), { cause: error });
  }
}

/** A package.json, not validated yet. */
interface PackageOfAddOn {
  readonly version?: unknown;
  readonly jig?: { readonly addOn?: unknown; readonly section?: unknown; readonly beans?: unknown } | null;
}

function parse(text: string): PackageOfAddOn {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Thrown below, without the text that the parser quotes.
  }
  throw new Error('it is not valid JSON');
}

/** Loads the module of an add-on. Whatever it throws is reported under the add-on's name. */
export async function loadAddOn({ name, module, section }: AddOnManifest): Promise<AddOn> {
  const part: Part = { kind: 'add-on', name };
  const loaded = await attempt(part, 'could not be loaded', async () => (await import(module.href)).default as unknown);
  if (!isAddOn(loaded)) {
    throw unusable(part, 'has no default export made by defineAddOn');
  }
  const read = sectionOf(loaded);
  // The default section follows from the name of the package.
  const declared = section ?? (read === sectionFor(name) ? read : undefined);
  if (read !== declared) throw unusable(part, sectionMismatch(read, section));
  return loaded;
}

/** Says what to write in the package.json. */
function sectionMismatch(read: string | undefined, declared: string | undefined): string {
  const manifestSays = declared === undefined ? 'names none' : `says ${JSON.stringify(declared)}`;
  return read === undefined
    ? `reads no section, but "jig" in its package.json ${manifestSays}; remove "section" there`
    : `reads the section ${read}, but "jig" in its package.json ${manifestSays}; write "section": ${JSON.stringify(read)} there`;
}

function isAddOn(value: unknown): value is AddOn {
  const { name, register } = (value ?? {}) as Partial<AddOn>;
  return typeof name === 'string' && typeof register === 'function';
}

/** What is used here of the API of Yarn Plug'n'Play, with which there is no node_modules: https://yarnpkg.com/advanced/pnpapi */
interface PlugAndPlay {
  resolveToUnqualified(name: string, from: string): string | null;
}

/**
 * The folder of a package as the file at `from` would find it; undefined when it is not installed.
 * Not found by `require.resolve`, since a package may hide its package.json behind its exports.
 */
function installedPackage(name: string, from: string): string | undefined {
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
