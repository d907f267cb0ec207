import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configurationPage, errorsPage } from '../../scripts/documents.ts';

const page = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('a document made from the code is up to date (npm run docs writes it)', () => {
  it('docs/configuration.md', async () => expect(await page('configuration.md')).toBe(await configurationPage()));
  it('docs/errors.md', async () => expect(await page('errors.md')).toBe(await errorsPage()));
});

const packages = new URL('../../packages/', import.meta.url);

describe('the README of a package names all that it exports, and nothing else', () => {
  it.each(readdirSync(packages))('@jig/%s', async (name) => {
    const readme = await readFile(new URL(`${name}/README.md`, packages), 'utf8');
    const [, table = ''] = /\n## Exports\n(.*?)(?=\n## |$)/s.exec(readme) ?? [];
    const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, exported = '']) => exported),
    );
    const exported = Object.keys((await import(`@jig/${name}`)) as object).filter((each) => each !== 'default');
    expect(new Set(named)).toEqual(new Set(exported));
  });
});

describe('docs/specification.md', () => {
  it('names an existing test in each row', async () => {
    const text = await page('specification.md');
    const rows = [...text.matchAll(/^\| what \| rule \| test \|\n\|[-|]+\n((?:\|.*\n)+)/gm)].flatMap(([, table = '']) =>
      table.trim().split('\n'),
    );
    expect(rows.length).toBeGreaterThan(30);
    const tests = rows.map((row) =>
      [...(row.split(' | ').at(-1) ?? '').matchAll(/`([\w/-]+)`/g)].map(([, name]) => name),
    );
    expect(rows.filter((_, index) => tests[index]?.length === 0)).toEqual([]);
    const exists = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url));
    const missing = tests
      .flat()
      .filter((name) => ![`test/${name}.test.ts`, `test/${name}`, `${name}.test.ts`].some(exists));
    expect(missing).toEqual([]);
  });
});
