import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const generatedFile = new URL('../src/messages/parent-locales.ts', import.meta.url);
const licenceFile = new URL('../third-party-licences.txt', import.meta.url);

interface ParentLocales {
  readonly supplemental: { readonly parentLocales: { readonly parentLocale: Readonly<Record<string, string>> } };
}

function readJson<Content>(specifier: string): Content {
  return JSON.parse(readFileSync(require.resolve(specifier), 'utf8')) as Content;
}

function childrenByParent(): Map<string, string[]> {
  const parentOf = readJson<ParentLocales>('cldr-core/supplemental/parentLocales.json').supplemental.parentLocales
    .parentLocale;
  const children = new Map<string, string[]>();
  for (const [child, parent] of Object.entries(parentOf)) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  return children;
}

const childrenPerLine = 16;

/** The text of `src/messages/parent-locales.ts`, made from the installed cldr-core. */
export function parentLocalesSource(): string {
  const { version, license } = readJson<{ version: string; license: string }>('cldr-core/package.json');
  const lines = [...childrenByParent()].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(parentLines);
  return [
    `// Written by packages/application/scripts/parent-locales.ts from cldr-core ${version} (${license}): run it with \`node --import tsx\` after an update.`,
    '',
    "/** CLDR's explicit parents, each followed by locales that inherit from it; `und` is the root. */",
    'export const parentLocales = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}

function parentLines([parent, children]: [string, string[]]): string[] {
  const sorted = children.sort();
  const lines: string[] = [];
  for (let start = 0; start < sorted.length; start += childrenPerLine) {
    lines.push(`${parent}: ${sorted.slice(start, start + childrenPerLine).join(' ')}`);
  }
  return lines;
}

/** The text of `third-party-licences.txt`: CLDR's licence asks to be passed on with the data. */
export function cldrLicence(): string {
  const { version, license } = readJson<{ version: string; license: string }>('cldr-core/package.json');
  const text = readFileSync(require.resolve('cldr-core/LICENSE'), 'utf8').trim();
  return `dist/index.js holds data from cldr-core ${version} (${license})\n\n${text}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(generatedFile, parentLocalesSource());
  writeFileSync(licenceFile, cldrLicence());
}
