import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder in which the packages of `older/` are found, and copies of ours beside them, which would load the current versions otherwise. Whoever asks for it removes it. */
export async function folderWithOlder(name: 'express-4' | 'nest-11'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `jig-${name}-`));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@jig'), { recursive: true });
  for (const ours of ['bean-inspection', 'inspect'])
    for (const part of ['package.json', 'dist'])
      await cp(join(root, 'packages', ours, part), join(modules, '@jig', ours, part), { recursive: true });
  const older = join(root, 'older', name, 'node_modules');
  for (const found of await readdir(older))
    if (!found.startsWith('.')) await symlink(join(older, found), join(modules, found));
  return folder;
}
