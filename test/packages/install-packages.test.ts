import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
const script = new URL('../../scripts/install-packages.mjs', import.meta.url).href;

let folder: string;
let project: string;
let packed: Buffer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-install-'));
  project = join(folder, 'project');
  await mkdir(project);
  await mkdir(join(folder, 'package'));
  await writeFile(join(folder, 'package', 'package.json'), '{ "name": "@some/thing", "version": "1.2.3" }');
  await run('tar', ['-czf', 'thing.tgz', 'package'], { cwd: folder });
  packed = await readFile(join(folder, 'thing.tgz'));
});

afterEach(() => rm(folder, { recursive: true }));

const checksumOf = (content: Buffer) => `sha512-${createHash('sha512').update(content).digest('base64')}`;

async function writeProject(integrity = checksumOf(packed)) {
  const described = { name: 'project', version: '1.0.0', dependencies: { alias: 'npm:@some/thing@1.2.3' } };
  const packages = { '': described, 'node_modules/alias': { name: '@some/thing', version: '1.2.3', integrity } };
  await writeFile(join(project, 'package.json'), JSON.stringify(described));
  await writeFile(
    join(project, 'package-lock.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
}

/** Installs from a registry that has the package at the path, and tells what it was asked for. */
async function installFrom(path: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const wanted = decodeURIComponent(request.url ?? '');
    asked.push(wanted);
    const dist = { tarball: `http://${request.headers.host}${path}`, integrity: checksumOf(packed) };
    const versions = { '1.2.3': { name: '@some/thing', version: '1.2.3', dist } };
    if (wanted === path) response.end(packed);
    else if (wanted === '/registry/@some/thing') response.end(JSON.stringify({ name: '@some/thing', versions }));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const install = `import(${JSON.stringify(script)}).then(({ installPackages }) => console.log(installPackages(process.cwd())))`;
    const { stdout } = await run(process.execPath, ['-e', install], {
      cwd: project,
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry`,
        npm_config_cache: join(folder, 'cache'),
        npm_config_fetch_retries: '0',
      },
    });
    return { asked, isInstalled: stdout.trim().endsWith('true') };
  } finally {
    server.close();
  }
}

const installed = async () =>
  JSON.parse(await readFile(join(project, 'node_modules', 'alias', 'package.json'), 'utf8')) as unknown;
const filesOfProject = async () =>
  (await readdir(project)).filter((name) => name !== 'node_modules').sort((one, other) => (one < other ? -1 : 1));

test('asks the registry for nothing but the packages', async () => {
  await writeProject();
  const usual = '/registry/@some/thing/-/thing-1.2.3.tgz';
  expect(await installFrom(usual)).toEqual({ asked: [usual], isInstalled: true });
  expect(await installed()).toMatchObject({ name: '@some/thing' });
  expect(await filesOfProject()).toEqual(['package-lock.json', 'package.json']);
});

test('installs from a registry that keeps its packages elsewhere', async () => {
  await writeProject();
  const { asked, isInstalled } = await installFrom('/elsewhere/1.2.3');
  expect(isInstalled).toBe(true);
  expect(asked).toContain('/elsewhere/1.2.3');
  expect(await installed()).toMatchObject({ name: '@some/thing' });
});

test('installs nothing that has another checksum than the lock file, and leaves no file behind', async () => {
  await writeProject(checksumOf(Buffer.from('another package')));
  expect((await installFrom('/registry/@some/thing/-/thing-1.2.3.tgz')).isInstalled).toBe(false);
  await expect(installed()).rejects.toThrow('ENOENT');
  expect(await filesOfProject()).toEqual(['package-lock.json', 'package.json']);
});
