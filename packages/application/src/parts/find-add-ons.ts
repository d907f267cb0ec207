import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorMessage, hostError } from '../errors.ts';
import type { AddOn } from './feature.ts';
import { attempt, type Part, unusable } from './part.ts';

/** What is read of a package.json. */
interface PackageJson {
  readonly version?: string;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly jig?: { readonly addOn?: string; readonly section?: string; readonly beans?: readonly string[] } | null;
}

const readPackageJson = async (path: string): Promise<PackageJson> => JSON.parse(await readFile(path, 'utf8'));

/** An application, as its package.json describes it. */
export interface ApplicationManifest {
  readonly folder: string;
  /** The names of the packages that it depends on. */
  readonly dependencies: readonly string[];
}

export async function readApplicationManifest(url: URL): Promise<ApplicationManifest> {
  try {
    const path = fileURLToPath(url);
    const { dependencies, optionalDependencies } = await readPackageJson(path);
    return { folder: dirname(path), dependencies: Object.keys({ ...dependencies, ...optionalDependencies }).sort() };
  } catch (error) {
    const sentence = `The application's package.json cannot be read: ${errorMessage(error)}. The option manifest must be its URL.`;
    throw hostError('JIG_MANIFEST_UNREADABLE', sentence, { cause: error, fields: { manifest: String(url) } });
  }
}

/** An add-on, as its package.json describes it. */
export interface AddOnPackage {
  readonly name: string;
  readonly version: string;
  /** The section of its settings, which stay valid when the add-on is excluded. */
  readonly section: string | undefined;
  /** The beans it defines, for the error about a missing bean when the add-on is off. */
  readonly beans: readonly string[];
}

/** An add-on among the dependencies of an application. */
export interface FoundAddOn extends AddOnPackage {
  /** The module whose default export is the add-on. */
  readonly module: URL;
}

/** The add-ons among the packages that an application depends on. Packages that are not installed are skipped. */
export async function findAddOns({ folder, dependencies }: ApplicationManifest): Promise<readonly FoundAddOn[]> {
  const found = await Promise.all(dependencies.map((name) => findAddOn(name, join(folder, 'package.json'))));
  return found.filter((each) => each !== undefined);
}

async function findAddOn(name: string, from: string): Promise<FoundAddOn | undefined> {
  const folder = installedPackage(name, from);
  if (folder === undefined) return undefined;
  try {
    const { version = '', jig } = await readPackageJson(join(folder, 'package.json'));
    if (jig?.addOn === undefined) return undefined;
    const { addOn, section, beans = [] } = jig;
    return { name, version, section, beans, module: pathToFileURL(join(folder, addOn)) };
  } catch (error) {
    const sentence = `The package.json of the dependency ${name} cannot be used: ${errorMessage(error)}; install it again.`;
    throw hostError('JIG_ADD_ON_UNUSABLE', sentence, { cause: error, fields: { addOn: name } });
  }
}

/** Loads the module of an add-on. Whatever it throws is reported under the add-on's name. */
export async function loadAddOn({ name, module }: FoundAddOn): Promise<AddOn> {
  const part: Part = { kind: 'add-on', name };
  const load = async (): Promise<unknown> => (await import(module.href)).default;
  const loaded = await attempt(part, 'could not be loaded', load);
  if (!isAddOn(loaded)) throw unusable(part, 'has no default export made by defineAddOn');
  return loaded;
}

function isAddOn(value: unknown): value is AddOn {
  const { name, register } = (value ?? {}) as Partial<AddOn>;
  return typeof name === 'string' && typeof register === 'function';
}

/** The part that is used here of the API of Yarn Plug'n'Play, which replaces node_modules: https://yarnpkg.com/advanced/pnpapi */
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

/** Yarn throws for a package that is not installed, and for one that `from` does not depend on. */
function plugAndPlayFolder(api: PlugAndPlay, name: string, from: string): string | undefined {
  try {
    return api.resolveToUnqualified(name, from) ?? undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
