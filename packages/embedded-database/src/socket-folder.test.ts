import { chmod, chown, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownSocketFolders, socketFolder } from './socket-folder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
const user = isRoot ? nobody : undefined;
const owner = isRoot ? nobody.uid : process.getuid?.();

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-socket-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('makes a folder, with those above it, for the user that runs the server alone', async () => {
  const { path, isTemporary } = await socketFolder(join(folder, 'a', 'b'), folder, user);
  expect({ path, isTemporary }).toEqual({ path: join(folder, 'a', 'b'), isTemporary: false });
  const { uid, mode } = await stat(path);
  expect([uid, mode & 0o777]).toEqual([owner, 0o700]);
  expect(await socketFolder(path, folder, user)).toEqual({ path, isTemporary: false });
});

it('closes one of its own that is open to others', async () => {
  const { path } = await socketFolder(undefined, folder, user);
  await chmod(path, 0o777);
  await socketFolder(undefined, folder, user);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it('follows no link, and leaves alone what it leads to', async () => {
  const target = join(folder, 'target');
  await mkdir(target, 0o755);
  if (isRoot) await chown(target, nobody.uid, nobody.gid);
  await symlink(target, join(folder, 'run'));
  await expect(socketFolder(undefined, folder, user)).rejects.toMatchObject({
    code: 'JIG_DATABASE_SOCKET_FOLDER_UNSAFE',
  });
  expect((await lstat(target)).mode & 0o777).toBe(0o755);
});

it('takes neither a file nor a link to nowhere', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'run'));
  for (const path of ['file', 'run']) {
    await expect(socketFolder(join(folder, path), folder, user)).rejects.toMatchObject({
      code: 'JIG_DATABASE_SOCKET_FOLDER_UNSAFE',
    });
  }
});

it.runIf(isRoot)('does not take the folder of somebody else', async () => {
  await mkdir(join(folder, 'run'), 0o700);
  await expect(socketFolder(undefined, folder, nobody)).rejects.toMatchObject({
    code: 'JIG_DATABASE_SOCKET_FOLDER_UNSAFE',
  });
});

it('names the temporary folder of a long path for removal, but none of somebody else', async () => {
  const home = join(folder, 'long-'.repeat(25));
  expect(ownSocketFolders(home, user)).toEqual([]);
  const { path, isTemporary } = await socketFolder(undefined, home, user);
  expect(isTemporary).toBe(true);
  try {
    expect(ownSocketFolders(home, user)).toEqual([path]);
    if (isRoot) {
      await chown(path, 1, 1);
      expect(ownSocketFolders(home, user)).toEqual([]);
    }
    await rm(path, { recursive: true });
    await symlink(folder, path);
    expect(ownSocketFolders(home, user)).toEqual([]);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});
