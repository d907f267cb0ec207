import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, hostError } from '../errors.ts';
import { fileProblem } from '../file-problem.ts';
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

export interface FoundAddOns {
  readonly included: readonly AddOnManifest[];
  /** Also those that cannot be read, of which only the name is known. */
  readonly excluded: readonly Pick<AddOnManifest, 'name' | 'version' | 'section'>[];
  /** Dependencies of the application that are nowhere to be found. */
  readonly notInstalled: readonly string[];
}

type Found = { readonly name: string } & (
  | { readonly kind: 'included'; readonly manifest: AddOnManifest }
  | { readonly kind: 'excluded'; readonly version: string; readonly section: string | undefined }
  | { readonly kind: 'no add-on' | 'not installed' }
);

/** The add-ons among the packages that an application depends on. One that cannot be read ends the start, unless it is to be left out. */
export async function findAddOns(
  { folder, dependencies }: ApplicationManifest,
  unwanted: ReadonlySet<string>,
): Promise<FoundAddOns> {
  const found = await Promise.all(dependencies.map((name) => findAddOn(name, folder, unwanted.has(name))));
  return {
    included: found.flatMap((each) => (each.kind === 'included' ? each.manifest : [])),
    excluded: found.filter((each) => each.kind === 'excluded'),
    notInstalled: found.filter(({ kind }) => kind === 'not installed').map(({ name }) => name),
  };
}

async function findAddOn(name: string, from: string, isUnwanted: boolean): Promise<Found> {
  try {
    const found = await readPackage(name, from);
    if (found === undefined) return { kind: 'not installed', name };
    const { folder, version, jig } = found;
    if (jig?.addOn === undefined) return { kind: 'no add-on', name };
    const manifest = { name, version, module: pathToFileURL(join(folder, modulePath(jig))), section: sectionOf(jig) };
    return isUnwanted ? { kind: 'excluded', ...manifest } : { kind: 'included', name, manifest };
  } catch (error) {
    if (isUnwanted) return { kind: 'excluded', name, version: '', section: undefined };
    const sentence = `The package.json of the dependency ${name} cannot be used: ${errorMessage(error)}; install it again, or leave it out with addOns.exclude.`;
    throw hostError('JIG_ADD_ON_UNUSABLE', sentence, { cause: error, fields: { addOn: name } });
  }
}

/** What is under `jig` in a package.json; all of it yet to be checked. */
interface JigEntry {
  readonly addOn?: unknown;
  readonly section?: unknown;
}

interface Package {
  readonly folder: string;
  readonly version: string;
  readonly jig: JigEntry | undefined;
}

async function readPackage(name: string, from: string): Promise<Package | undefined> {
  const folder = installedPackage(name, join(from, 'package.json'));
  if (folder === undefined) return undefined;
  const { version, jig } = parse(await readText(join(folder, 'package.json')));
  return { folder, version: typeof version === 'string' ? version : '', jig: jig ?? undefined };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(fileProblem(error), { cause: error });
  }
}

function parse(text: string): { readonly version?: unknown; readonly jig?: JigEntry | null } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, without the text that the parser quotes.
  }
  throw new Error('it is not valid JSON');
}

function modulePath({ addOn }: JigEntry): string {
  if (typeof addOn === 'string') return addOn;
  throw new Error('"addOn" below "jig" must be the path of the module');
}

function sectionOf({ section }: JigEntry): string | undefined {
  if (section === undefined || typeof section === 'string') return section;
  throw new Error('"section" below "jig" must be the name of a section of the configuration');
}
