import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configurationPage, errorsPage } from '../../scripts/generated-documents.ts';

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

describe('docs/architecture.md is complete', () => {
  it('names every folder of every package', async () => {
    const text = await page('architecture.md');
    const folders = readdirSync(packages).flatMap((name) =>
      readdirSync(new URL(`${name}/src/`, packages), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    );
    expect(folders.map(({ name }) => name).filter((name) => !new RegExp(`[ \`]${name}/`).test(text))).toEqual([]);
  });

  it('names every call of a host in the README of the host', async () => {
    const source = await readFile(new URL('application/src/add-ons/feature.ts', packages), 'utf8');
    const [, context = '', members = ''] =
      /interface AddOnContext<[^{]*\{(.*?)\n\}.*interface Registration<[^{]*\{(.*?)\n\}/s.exec(source) ?? [];
    const calls = [...(context + members).matchAll(/^ {2}(?:readonly )?(\w+)[(:<]/gm)].map(
      ([, name]) => `host.${name}`,
    );
    expect(calls).toContain('host.define');
    const text = await readFile(new URL('application/README.md', packages), 'utf8');
    expect(calls.filter((call) => !text.includes(call))).toEqual([]);
  });
});

it('README.md fits on a few screens', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});

describe('the decision records', () => {
  const folder = new URL('../../docs/decisions/', import.meta.url);
  const records = readdirSync(folder)
    .filter((name) => name !== 'superseded.md')
    .sort();

  it('are numbered from 1 without gaps, those that are superseded in a list', async () => {
    const list = await readFile(new URL('superseded.md', folder), 'utf8');
    const superseded = [...list.matchAll(/^- (\d+) .*\]\(([\w./-]+)(?:#[\w-]+)?\)$/gm)];
    expect(superseded.filter(([, , by = '']) => !existsSync(new URL(by, folder)))).toEqual([]);
    const numbers = [
      ...records.map((name) => Number(name.slice(0, 4))),
      ...superseded.map(([, number]) => Number(number)),
    ];
    expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1));
  });

  it.each(records)('%s has its number, date, status, context, decision and consequences', async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8');
    const [title, , status] = text.split('\n');
    expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. [A-Z]`));
    expect(status).toMatch(/^Date: \d{4}-\d\d-\d\d\. Status: accepted/);
    expect(text.match(/^## .*/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
    expect(text.split(/\s+/).length, 'words; what nobody needs to question it is left to the commit').toBeLessThan(230);
  });
});
