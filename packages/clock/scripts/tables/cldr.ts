import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** A node of CLDR's JSON: every leaf is text, every branch is keyed by text. */
export interface CldrNode {
  readonly [key: string]: CldrNode | string | undefined;
}

const readFile = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const readJson = (path: string): unknown => readFile(resolve(path));

/** One of CLDR's files about no language in particular. */
export const readSupplemental = (path: string): CldrNode => readJson(path) as CldrNode;

/** The locales of which CLDR has a folder of its own. */
export const readAvailableLocales = (): string[] =>
  (readJson('cldr-core/availableLocales.json') as { availableLocales: { full: string[] } }).availableLocales.full;

/** The locales whose content is that of their parent: `en-US` is `en`. */
export const readDefaultContent = (): string[] =>
  (readJson('cldr-core/defaultContent.json') as { defaultContent: string[] }).defaultContent;

/** The release that everything is taken from. */
export const cldrVersion = (): string => (readJson('cldr-core/package.json') as { version: string }).version;

const folders = new Map<string, string>();
const languageParts = new Map<string, CldrNode>();

/** The part of a language's file that `keys` lead to, parsed once for all regions that show it. */
export function readLanguage(packageName: string, source: string, file: string, ...keys: string[]): CldrNode {
  const key = [packageName, source, file, ...keys].join(' ');
  const part = languageParts.get(key) ?? parseLanguage(packageName, source, file, keys);
  languageParts.set(key, part);
  return part;
}

/** CLDR leaves out files that would be empty. */
function parseLanguage(packageName: string, source: string, file: string, keys: readonly string[]): CldrNode {
  const folder = folders.get(packageName) ?? dirname(resolve(`cldr-${packageName}-full/package.json`));
  folders.set(packageName, folder);
  const path = join(folder, 'main', source, `${file}.json`);
  return existsSync(path) ? branch(readFile(path) as CldrNode, 'main', source, ...keys) : {};
}

export function branch(node: CldrNode, ...keys: string[]): CldrNode {
  let current = node;
  for (const key of keys) {
    const next = current[key];
    current = typeof next === 'object' ? next : {};
  }
  return current;
}

export function leaf(node: CldrNode, ...keys: string[]): string | undefined {
  const value = branch(node, ...keys.slice(0, -1))[keys.at(-1) ?? ''];
  return typeof value === 'string' ? value : undefined;
}

/** The digits of each numbering system that has ten. */
export function readNumberingSystems(): Record<string, string> {
  const systems = branch(
    readSupplemental('cldr-core/supplemental/numberingSystems.json'),
    'supplemental',
    'numberingSystems',
  );
  const digits = Object.keys(systems).map((system) => [system, leaf(systems, system, '_digits')] as const);
  return Object.fromEntries(digits.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
