import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allFiles, root } from './imports.ts';

const projects = readFileSync(join(root, 'scripts/test-projects.mjs'), 'utf8');

describe('docs/tests.md', () => {
  const text = readFileSync(join(root, 'docs/tests.md'), 'utf8');

  it('names every kind of tests', () => {
    const names = [...projects.matchAll(/\bname: '([\w-]+)'/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('names only tests that there are', () => {
    const paths = [...text.matchAll(/`((?:test|packages|release|bench)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('property tests are in projects that give them the seed of the run', () => {
  const withProperties = projects.split(/\bname: /).filter((project) => project.includes('hasProperties: true'));
  const seeded = withProperties.map((project) => `test/${/[\w-]+/.exec(project)?.[0]}/`);
  const files = allFiles(['test']).filter(({ imports }) => imports.includes('fast-check'));
  expect(files.length).toBeGreaterThan(3);
  const isSeeded = (path: string) => [...seeded, 'test/support/'].some((folder) => path.startsWith(folder));
  expect(files.map(({ path }) => path).filter((path) => !isSeeded(path))).toEqual([]);
});
