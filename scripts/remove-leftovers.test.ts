import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const module = new URL('remove-leftovers.mjs', import.meta.url).href;
const { removeLeftovers } = (await import(module)) as {
  removeLeftovers: (folder: string, written: Set<string>) => void;
};

it('removeLeftovers keeps what was written, the declarations of existing sources, and what other steps build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jig-leftovers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kept = ['.tsbuildinfo', 'assets/page.css', 'index.d.ts', 'index.js', 'part/one.d.ts'];
  const bundles = ['bundle-OLD.js', 'bundle-OLD.cjs.cache', 'chunks/old.js', 'index.js.map'];
  const built = [...kept, ...bundles, 'part/moved.d.ts', 'part/one.js'].map((path) => `dist/${path}`);
  for (const file of ['src/index.ts', 'src/part/one.ts', ...built]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  removeLeftovers(folder, new Set([join(folder, 'dist', 'index.js')]));
  const found = readdirSync(join(folder, 'dist'), { recursive: true }).map(String);
  expect(found.filter((path) => /\.\w+$/.test(path)).sort()).toEqual(kept);
});
