import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const module = new URL('remove-leftovers.mjs', import.meta.url).href;

it('removeLeftovers keeps what was written, the declarations of existing sources, and what other steps build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jig-leftovers-'));
  const kept = ['.tsbuildinfo', 'assets/page.css', 'index.d.ts', 'index.js', 'part/one.d.ts'];
  const left = [
    'bundle-OLD.js',
    'bundle-OLD.cjs.cache',
    'chunks/old.js',
    'index.js.map',
    'part/moved.d.ts',
    'part/one.js',
  ];
  try {
    for (const file of ['src/index.ts', 'src/part/one.ts', ...[...kept, ...left].map((path) => `dist/${path}`)]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    const written = `new Set([${JSON.stringify(join(folder, 'dist', 'index.js'))}])`;
    const script = `import { removeLeftovers } from ${JSON.stringify(module)}; removeLeftovers(${JSON.stringify(folder)}, ${written});`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    const found = readdirSync(join(folder, 'dist'), { recursive: true }).map(String).sort();
    expect(found).toEqual([...kept, 'assets', 'part'].sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
