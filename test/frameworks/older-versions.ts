import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder in which the packages of `test/older/` are found, and copies of ours beside them, which would load the current versions otherwise. Whoever asks for it removes it. */
export async function folderWithOlder(name: 'express-4' | 'nest-11'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `jig-${name}-`));
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
  const older = join(root, 'test/older', name, 'node_modules');
  for (const found of await readdir(older))
    if (!found.startsWith('.')) await symlink(join(older, found), join(modules, found));
  return folder;
}
