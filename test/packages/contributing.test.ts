import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = (name: string) => join(root, 'node_modules/.bin', name);
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
/** The files that the worked example writes, each named in its first line. */
const files = [...text.matchAll(/```ts\n\/\/ (service\/src\/\S+)\n([\s\S]*?)```/g)].map(([, path = '', code = '']) => ({
  name: basename(path),
  code,
}));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-contributing-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = { rootDir: '.', noEmit: true, rewriteRelativeImportExtensions: true };
  const configuration = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  for (const { name, code } of files) await writeFile(join(folder, name), code);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('the worked example of CONTRIBUTING.md compiles as strictly as the service does, and its test passes', async () => {
  expect(files.map(({ name }) => name)).toEqual(['countdown.ts', 'countdown.test.ts']);
  const { stdout } = await run(tool('tsc'), ['--singleThreaded', '-p', folder]).catch((error) => error);
  expect(stdout).toBe('');
  const env = { ...process.env, NO_COLOR: '1' };
  const tested = await run(tool('vitest'), ['run', '--root', folder], { env }).catch((error) => error);
  expect(`${tested.stdout}${tested.stderr}`).toMatch(/Tests +2 passed \(2\)/);
});
