import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TableVersions } from '../../src/tables/tables.ts';

const { resolve } = createRequire(import.meta.url);
const read = (path: string | URL): string => readFileSync(path, 'utf8');
const folderOf = (name: string): string => dirname(resolve(`${name}/package.json`));

/** The CLDR packages that the tables are generated from, by their names in package.json. */
const sources = (): string[] => {
  const manifest = read(new URL('package.json', import.meta.url));
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  return Object.keys(devDependencies);
};

function sourceRow(source: string): string {
  const { name, version, license } = JSON.parse(read(join(folderOf(source), 'package.json'))) as Record<string, string>;
  return `| npm package ${name} | ${version} | ${license} |`;
}

/** The README of the tables, which says where they come from. */
export function provenance({ icu, tz, calendars }: TableVersions) {
  return `# Where these tables come from

Written by \`packages/clock/scripts/generate-tables.ts\` (\`npm run clock:data\`). Do not edit these files.

| file | what it holds |
|---|---|
| \`tables.json\` | the supported locales and zones, and where they are in \`tables.br\` |
| \`tables.br\` | their names and order in every language |
| \`moments.br\` | the formats of times and dates |
| \`calendars.br\` | long dates in other calendars than the Gregorian one |
| \`differences.md\` | what differs from ICU4J on purpose |
| \`shown-texts.sha256\` | the digest of all texts, the same on every Node |

| generated from | version | licence |
|---|---|---|
${sources().map(sourceRow).join('\n')}
| \`Intl\` of Node: locales and their order | ICU ${icu} | Unicode-3.0 |
| \`Intl\` of Node: texts of other calendars | ICU ${calendars} | Unicode-3.0 |
| tz database of ICU: raw offsets and daylight amounts | ${tz} | public domain |

The licence Unicode-3.0 is in [LICENSE](LICENSE).
`;
}

/** The licence must be distributed with the data. */
export const unicodeLicence = (): string => read(join(folderOf('cldr-core'), 'LICENSE'));
