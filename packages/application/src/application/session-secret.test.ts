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

it('makes a secret once, for its owner alone', async () => {
  const [secret] = await sessionSecrets(home, unset);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await sessionSecrets(home, unset)).toEqual([secret]);
  expect((await readFile(file, 'utf8')).trim()).toBe(secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['session-secret']);
});

it('is the same for all that make it at once', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => sessionSecrets(home, unset)));
  expect(new Set(made.flat())).toEqual(new Set([(await readFile(file, 'utf8')).trim()]));
});

it('prefers a configured secret, touches no file then, and still accepts previous ones', async () => {
  const settings = { secret: 'configured', previousSecrets: ['older', 'oldest'] };
  expect(await sessionSecrets(home, settings)).toEqual(['configured', 'older', 'oldest']);
  expect(await readdir(home)).toEqual([]);
});

it('closes a file that was open to others', async () => {
  await sessionSecrets(home, unset);
  await chmod(file, 0o644);
  await sessionSecrets(home, unset);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it.each(['', 'short', 'x'.repeat(42), `${'x'.repeat(43)} y`])(
  'does not sign with a file that holds %j',
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

it('says what is wrong when it cannot be made', async () => {
  const missing = path.join(home, 'missing');
  await expect(sessionSecrets(missing, unset)).rejects.toMatchObject({
    code: 'JIG_SESSION_SECRET_UNUSABLE',
    message: `The session secret ${missing}/session-secret cannot be read or made: there is no such file; fix or remove it, or configure sessions.secret.`,
  });
});
