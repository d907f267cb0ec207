import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const module = new URL('remove-leftovers.mjs', import.meta.url).href;

it('leaves in dist what was written now, what the sources declare, and what others keep there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jig-leftovers-'));
  const kept = ['.tsbuildinfo', 'assets/page.css', 'index.d.ts', 'index.js', 'part/one.d.ts'];
  const left = ['bundle-OLD.js', 'chunk-OLD.js', 'chunks/old.js', 'index.js.map', 'part/moved.d.ts', 'part/one.js'];
  try {
    for (const file of ['src/index.ts', 'src/part/one.ts', ...[...kept, ...left].map((path) => `dist/${path}`)]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    const script = `import { removeLeftovers } from ${JSON.stringify(module)}; removeLeftovers(new Set(['dist/index.js']));`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    const found = readdirSync(join(folder, 'dist'), { recursive: true }).map(String).sort();
    expect(found).toEqual([...kept, 'assets', 'part'].sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
