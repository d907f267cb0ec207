import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { shippedPackages } from '../../scripts/shipped-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** They ask for no more than that they are kept with the code. */
const acceptedLicences = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

it('what is shipped is under licences that are accepted, because others would bind those who use it', async () => {
  const shipped = await shippedPackages();
  expect(shipped.length).toBeGreaterThan(50);
  expect(shipped.filter(({ licence }) => !acceptedLicences.includes(licence))).toEqual([]);
});

const lockFiles = ['', ...['test/all', 'test/all/older', 'scripts'].flatMap(foldersWithLock)];

function foldersWithLock(folder: string): string[] {
  const names = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => `${folder}/${name}`)
    .filter((path) => readdirSync(join(root, path)).includes('package-lock.json'));
}

it.each(lockFiles)('the lock file of /%s has the checksum of every package and the address of none', (folder) => {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { link?: boolean; resolved?: string; integrity?: string }>>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const incomplete = installed.filter(([, { resolved, integrity }]) => resolved !== undefined || !integrity);
  expect(incomplete.map(([path]) => path)).toEqual([]);
});

const names = readdirSync(join(root, 'packages'));
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(folder, 'package.json'));
const loads = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\w*\(\s*|\brequire\w*\.resolve\(\s*)(['"])([\w@][^'"\s]*)\1/g;

/** The packages that texts load: by `import`, `export … from`, `import()` or `require`, of values or of types. */
function packagesLoadedBy(texts: readonly string[]): readonly string[] {
  const specifiers = texts.flatMap((text) => [...text.matchAll(loads)].map(([, , specifier = '']) => specifier));
  const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return [...new Set(specifiers.filter((specifier) => !isBuiltin(specifier)).map(packageOf))];
}

const textsBelow = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/(?:^|\/)node_modules\//.test(file))
    .map((file) => read(folder, file));

const built = (name: string) => textsBelow(`packages/${name}/dist`, /^(?!assets).*\.(?:js|d\.ts)$/);

describe.each(names)('package.json of %s', (name) => {
  const manifest = manifestOf(`packages/${name}`);
  const { dependencies = {}, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = manifest;

  it('declares every package that its code or its types load, because pnpm and Yarn require it', () => {
    // Yarn Plug'n'Play provides its API itself.
    const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies, pnpapi: '', [manifest.name]: '' };
    expect(packagesLoadedBy(built(name)).filter((each) => !Object.hasOwn(declared, each))).toEqual([]);
  });

  it('has the host as an optional peer if it is an add-on, because it also works alone', () => {
    if (manifest.jig?.addOn === undefined) return;
    expect(dependencies).not.toHaveProperty('@jig/application');
    expect(peerDependencies).toHaveProperty('@jig/application');
    expect(peerDependenciesMeta).toMatchObject({ '@jig/application': { optional: true } });
  });

  it('has no side effects at import, because start and stop are explicit', () => {
    const script = `await import('${manifest.name}'); console.log(process.getActiveResourcesInfo().filter((r) => /Timer|Server|Process/.test(r)).join())`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(root, 'packages', name),
      encoding: 'utf8',
    });
    expect({ stdout: stdout.trim(), stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });
});

const copied = ['service', ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}`)];

it.each(copied)('%s declares every package that it loads, because it is copied alone', (workspace) => {
  const manifest = manifestOf(workspace);
  const declared = { ...manifest.dependencies, ...manifest.devDependencies, [manifest.name]: '' };
  const texts = textsBelow(workspace, /^(?!(?:.*\/)?(?:dist|data)\/)(?!.*\.test\.ts$).*\.(?:[cm]?js|c?ts)$/);
  expect(texts.length).toBeGreaterThan(0);
  expect(packagesLoadedBy(texts).filter((name) => !Object.hasOwn(declared, name))).toEqual([]);
});

it('deploy/Containerfile copies the package.json of every package before it installs', () => {
  const lines = [...read('deploy/Containerfile').matchAll(/packages\/([\w-]+)\/package\.json packages\/\1\/$/gm)];
  expect(lines.map(([, name]) => name)).toEqual(names);
});
