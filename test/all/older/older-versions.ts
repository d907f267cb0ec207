import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

type Older = 'express-4' | 'nest-11';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A folder in which older versions are found, and copies of our packages beside them, which would load the current versions otherwise. */
export async function folderWithOlder(name: Older): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `jig-${name}-`));
  folders.push(folder);
  const modules = join(folder, 'node_modules');
  for (const [ours, place] of [
    ['packages/bean-inspection', '@jig/bean-inspection'],
    ['packages/inspect', '@jig/inspect'],
    ['examples/shop', '@jig-examples/shop'],
  ] as const) {
    await mkdir(join(modules, place), { recursive: true });
    for (const part of ['package.json', 'dist'])
      await cp(join(root, ours, part), join(modules, place, part), { recursive: true });
  }
  const older = join(root, 'test/all/older', name, 'node_modules');
  for (const found of await readdir(older))
    if (!found.startsWith('.')) await symlink(join(older, found), join(modules, found));
  return folder;
}

/** The main module of a built example that runs with an older version of its framework. */
export async function exampleWithOlder(example: string, name: Older): Promise<string> {
  const folder = await folderWithOlder(name);
  for (const part of ['dist', 'package.json'])
    await cp(join(root, 'examples', example, part), join(folder, part), { recursive: true });
  return join(folder, 'dist/main.js');
}
