import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Feature } from '@jig/application';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';

const page = readFileSync(new URL('../../docs/write-a-feature.md', import.meta.url), 'utf8');
const [, code = ''] = /## Files and texts[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? [];

it('the feature of docs/write-a-feature.md with files and texts answers as documented', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jig-files-'));
  try {
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    await mkdir(join(folder, 'public'));
    await writeFile(join(folder, 'public', 'style.css'), 'body { margin: 0 }');
    await writeFile(join(folder, 'visitors.mjs'), transformSync(code, { loader: 'ts' }).code);
    const { visitors } = (await import(pathToFileURL(join(folder, 'visitors.mjs')).href)) as { visitors: Feature };
    await using application = await startApplication([visitors]);
    const get = async (path: string) => (await fetch(application.url + path)).text();
    expect(page).toContain('`GET /visitors?language=de` answers `2 Besucher`');
    expect(await get('/visitors?language=de')).toBe('2 Besucher');
    expect(await get('/visitors')).toBe('2 visitors');
    expect(await get('/visitors/style.css')).toBe('body { margin: 0 }');
  } finally {
    await rm(folder, { recursive: true });
  }
});
