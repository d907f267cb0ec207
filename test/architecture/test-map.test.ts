import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './imports.ts';

describe('docs/tests.md', () => {
  const text = readFileSync(join(root, 'docs/tests.md'), 'utf8');

  it('names every kind of tests', () => {
    const source = readFileSync(join(root, 'scripts/test-kinds.mjs'), 'utf8');
    const names = [...source.matchAll(/\bname: '([\w-]+)'/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('names only tests that there are', () => {
    const paths = [...text.matchAll(/`((?:test|packages|scripts|bench)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
