import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionSecrets } from './session-secret.ts';

const unset = { secret: undefined, previousSecrets: [] };
let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'jig-secret-'));
  file = path.join(home, 'session-secret');
});

afterEach(() => rm(home, { recursive: true, force: true }));

it('creates a secret once, in a file that only its owner can read', async () => {
  const [secret] = await sessionSecrets(home, unset);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await sessionSecrets(home, unset)).toEqual([secret]);
  expect((await readFile(file, 'utf8')).trim()).toBe(secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['session-secret']);
});

it('is the same for all instances that create it at the same time', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => sessionSecrets(home, unset)));
  expect(new Set(made.flat())).toEqual(new Set([(await readFile(file, 'utf8')).trim()]));
});

it('uses a configured secret without touching a file, and still accepts previous ones', async () => {
  const settings = { secret: 'configured', previousSecrets: ['older', 'oldest'] };
  expect(await sessionSecrets(home, settings)).toEqual(['configured', 'older', 'oldest']);
  expect(await readdir(home)).toEqual([]);
});

it('removes the permissions of others from the file', async () => {
  await sessionSecrets(home, unset);
  await chmod(file, 0o644);
  await sessionSecrets(home, unset);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it.each(['', 'short', 'x'.repeat(42), `${'x'.repeat(43)} y`])(
  'rejects a secret file that contains %j',
  async (content) => {
    await sessionSecrets(home, unset);
    await writeFile(file, content);
    await expect(sessionSecrets(home, unset)).rejects.toMatchObject({
      code: 'JIG_SESSION_SECRET_UNUSABLE',
      message: expect.stringContaining(file),
      file,
    });
  },
);

it('rejects with the reason when the secret cannot be created', async () => {
  const missing = path.join(home, 'missing');
  await expect(sessionSecrets(missing, unset)).rejects.toMatchObject({
    code: 'JIG_SESSION_SECRET_UNUSABLE',
    message: expect.stringMatching(/session-secret cannot be read or made: ENOENT: .*; fix or remove it/) as string,
  });
});
