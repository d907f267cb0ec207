import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cldrLicence } from '../../packages/application/scripts/parent-locales.ts';
import { provenance, unicodeLicence } from '../../packages/clock/scripts/tables/provenance.ts';
import { root } from './imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What is written by a program and kept in the repository, by where it says so. */
async function generatedFiles(): Promise<{ path: string; words: string }[]> {
  const packages = await readdir(join(root, 'packages'));
  const folders = ['docs', ...packages.flatMap((name) => [`packages/${name}/src`, `packages/${name}/data`])];
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const lists = await Promise.all(
    present.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  const paths = lists.flat().filter((path) => /\.(?:md|ts)$/.test(path));
  return paths.flatMap((path) => {
    const [words] = /^(?:\/\/ )?Written by .*$/m.exec(read(path)) ?? [];
    return words === undefined ? [] : [{ path, words }];
  });
}

describe('what is generated says where it comes from, because whoever uses it must know what it is and under which licence', () => {
  it('the tables of the clock', async () => {
    const { versions } = JSON.parse(read('packages/clock/data/tables.json'));
    expect(read('packages/clock/data/README.md')).toBe(provenance(versions));
    expect(read('packages/clock/data/LICENSE')).toBe(unicodeLicence());
    const tables = await readdir(join(root, 'packages/clock/data'));
    const explained = tables.filter((name) => !['README.md', 'LICENSE'].includes(name));
    for (const name of explained) expect(provenance(versions)).toContain(`| \`${name}\` |`);
  });

  it('the time zones of the clock, whose release the page on the clock names', () => {
    const { version } = JSON.parse(read('node_modules/moment-timezone/data/packed/latest.json'));
    expect(read('docs/clock.md')).toContain(`Today that is **${version}**.`);
    expect(read('packages/clock/test/data/README.md')).toContain(`release ${version} of the tz database`);
  });

  it('the parents of locales', () => {
    const { version, license } = JSON.parse(read('node_modules/cldr-core/package.json'));
    const source = `cldr-core ${version} (${license})`;
    expect(read('packages/application/src/messages/parent-locales.ts').split('\n')[0]).toContain(source);
    expect(read('packages/application/third-party-licences.txt')).toBe(cldrLicence());
    expect(cldrLicence()).toMatch(/^.* cldr-core [\d.]+ \(Unicode-3\.0\)\n\nUNICODE LICENSE V3/);
  });

  it('the style sheet and scripts of the clock page', async () => {
    const folder = 'packages/clock/dist/assets';
    const files = (await readdir(join(root, folder))).filter(
      // The others are our own.
      (name) => /\.(?:js|css)$/.test(name) && !/^(?:inline|search)\b/.test(name),
    );
    expect(files).toHaveLength(3);
    for (const file of files)
      expect(read(`${folder}/${file}`).slice(0, 200)).toMatch(/^\/\*!\s+(?:\* )?(?:Bootstrap|jQuery) v\d/);
  });

  it('each by a script or a command that there is', async () => {
    const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>;
    const files = await generatedFiles();
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'docs/benchmarks.md',
        'packages/application/src/messages/parent-locales.ts',
        'packages/clock/data/README.md',
      ]),
    );
    for (const { path, words } of files) {
      const [, command, script] = /Written by (?:`npm run (\w+)`|`?([\w/-]+\.ts)`?)/.exec(words) ?? [];
      const isThere = script === undefined ? Object.hasOwn(scripts, command ?? '') : existsSync(join(root, script));
      expect({ path, words, isThere }).toEqual({ path, words, isThere: true });
    }
  });
});
