import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { frameworks } from './frameworks.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('packages/bean-inspection/package.json')) as {
  readonly description: string;
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

it('every entry of the package that is a mount is in the table of frameworks', () => {
  const mounting = Object.entries(manifest.exports).filter(
    ([entry, { types = '' }]) => entry === '.' || types.startsWith('./dist/mounts/'),
  );
  expect(new Set(frameworks.flatMap(({ entry = [] }) => entry))).toEqual(new Set(mounting.map(([entry]) => entry)));
});

it.each(frameworks)('package.json and docs/in-your-application.md name $name', ({ name, entry = '.' }) => {
  expect(manifest.description).toContain(name.replaceAll('`', ''));
  const page = read('docs/in-your-application.md');
  expect(page.split('\n## ')[0]).toContain(name);
  expect(page).toContain(entry.slice(1));
});
