import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { quietServer } from '../../test-fixtures/temporary-server.ts';
import { requirePrograms } from '../server/programs.ts';
import { runAs } from '../server/run-as.ts';
import { dataTemplate } from './data-template.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'jig-templates-'));
  await chmod(root, 0o711);
  await mkdir(join(root, 'templates'));
});
afterEach(() => rm(root, { recursive: true }));

it('a template is created once by parallel starts, never replaced, and created anew for other options', async () => {
  const user = await runAs(quietServer.user);
  const programs = await requirePrograms({}, user);
  const ensure = (locale?: string) => dataTemplate({ ...quietServer, root, programs, user, locale });
  const templates = () => readdir(join(root, 'templates'));
  const [one, two] = await Promise.all([ensure(), ensure()]);
  expect(one.passwordFile).toBe(two.passwordFile);
  expect(await readdir(root)).toEqual(['templates']);
  const password = await readFile(one.passwordFile, 'utf8');
  const folder = dirname(one.passwordFile);
  const { ino } = await stat(folder);
  const daysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);
  const old = join(root, 'templates', 'postgresql-17.0-old');
  await mkdir(old);
  await utimes(old, daysAgo, daysAgo);
  const other = await ensure('sv');
  expect(await readFile((await ensure()).passwordFile, 'utf8')).toBe(password);
  expect((await stat(folder)).ino).toBe(ino);
  expect((await templates()).sort()).toEqual(
    [one, other].map(({ passwordFile }) => basename(dirname(passwordFile))).sort(),
  );
  const copy = join(root, 'copy');
  await mkdir(copy);
  await one.copyTo(copy);
  expect((await readdir(copy)).sort()).toEqual((await readdir(join(folder, 'postgresql'))).sort());
});
