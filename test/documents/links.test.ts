import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const notOurs = new Set(['node_modules', 'dist', '.jig', '.git']);

/** The pages in a folder and below it. */
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : pagesIn(path);
    return path.endsWith('.md') ? [path] : [];
  });

/** The anchors that a page gets from its headings, as GitHub makes them. */
const anchorsIn = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(pagesIn('').toSorted())('links of %s lead to files and headings that exist', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  const broken = links.filter(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? join(root, page) : resolve(root, page, '..', path);
    if (!existsSync(file) || relative(root, file).startsWith('..')) return true;
    return anchor !== undefined && !(statSync(file).isFile() && anchorsIn(file).includes(anchor));
  });
  expect(broken.map(([, link]) => link)).toEqual([]);
});
