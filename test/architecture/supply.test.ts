import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedPackages } from '../../scripts/shipped-packages.ts';
import { root } from './imports.ts';

/** They ask for no more than that they are kept with the code. */
const acceptedLicences = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

describe('what is shipped', () => {
  it('is under licences that are accepted, because others would bind those who use it', async () => {
    const shipped = await shippedPackages();
    expect(shipped.length).toBeGreaterThan(50);
    expect(shipped.filter(({ licence }) => !acceptedLicences.includes(licence))).toEqual([]);
  });
});

describe('the lock file', () => {
  it('has the checksum of every package and the address of none, so that it works with every registry', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { link?: boolean; resolved?: string; integrity?: string }>;
    };
    const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(installed.length).toBeGreaterThan(300);
    const isComplete = ({ resolved, integrity }: { resolved?: string; integrity?: string }) =>
      resolved === undefined && integrity !== undefined;
    expect(installed.filter(([, locked]) => !isComplete(locked)).map(([path]) => path)).toEqual([]);
  });
});

describe('what others install or copy', () => {
  const loads = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\w*\(\s*|\brequire\w*\.resolve\(\s*)(['"])([\w@][^'"\s]*)\1/g;
  const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

  /** The packages that a text loads: by `import`, `export … from`, `import()` or `require`, of values or of types. */
  function packagesLoadedBy(text: string): string[] {
    const specifiers = [...text.matchAll(loads)].map(([, , specifier = '']) => specifier);
    return specifiers.filter((specifier) => !isBuiltin(specifier)).map(packageOf);
  }

  const read = (...path: string[]) => readFileSync(join(root, 'packages', ...path), 'utf8');
  const built = (name: string) =>
    readdirSync(join(root, 'packages', name, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:js|d\.ts)$/.test(file) && !file.startsWith('assets'))
      .map((file) => ({ file, text: read(name, 'dist', file) }));

  it.each(readdirSync(join(root, 'packages')))(
    '%s declares every package that its code or its types load, because only then pnpm and Yarn let it',
    (name) => {
      const manifest = JSON.parse(read(name, 'package.json'));
      const { dependencies, optionalDependencies, peerDependencies } = manifest;
      // Yarn Plug'n'Play provides its API itself.
      const declared = {
        ...dependencies,
        ...optionalDependencies,
        ...peerDependencies,
        pnpapi: '',
        [manifest.name]: '',
      };
      const files = built(name);
      expect(files.length).toBeGreaterThan(2);
      const undeclared = files.flatMap(({ file, text }) =>
        packagesLoadedBy(text)
          .filter((each) => !Object.hasOwn(declared, each))
          .map((each) => `${file} loads ${each}`),
      );
      expect(undeclared).toEqual([]);
    },
  );

  it.each(readdirSync(join(root, 'packages')))(
    '%s has no peer but what its code or its types load, because whatever else it supports is no need of it',
    (name) => {
      const { peerDependencies = {} } = JSON.parse(read(name, 'package.json'));
      const loaded = new Set(built(name).flatMap(({ text }) => packagesLoadedBy(text)));
      expect(Object.keys(peerDependencies).filter((peer) => !loaded.has(peer))).toEqual([]);
    },
  );

  const addOns = readdirSync(join(root, 'packages')).filter(
    (name) => JSON.parse(read(name, 'package.json')).jig?.addOn,
  );

  it.each(addOns)('%s has the host as an optional peer, because it is also used without it', (name) => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(read(name, 'package.json'));
    expect(dependencies).not.toHaveProperty('@jig/application');
    expect(peerDependencies).toHaveProperty('@jig/application');
    expect(peerDependenciesMeta).toMatchObject({ '@jig/application': { optional: true } });
  });

  const copied = ['service', ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}`)];

  it.each(copied)(
    '%s declares every package that it loads, because whoever copies it installs no other',
    (workspace) => {
      const folder = join(root, workspace);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const declared = { ...manifest.dependencies, ...manifest.devDependencies, [manifest.name]: '' };
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (file) => /\.(?:[cm]?js|c?ts)$/.test(file) && !/(?:^|\/)(?:node_modules|dist|data)\/|\.test\.ts$/.test(file),
      );
      expect(files.length).toBeGreaterThan(0);
      const loaded = new Set(files.flatMap((file) => packagesLoadedBy(readFileSync(join(folder, file), 'utf8'))));
      expect([...loaded].filter((name) => !Object.hasOwn(declared, name))).toEqual([]);
    },
  );

  it.each(readdirSync(join(root, 'packages')))('%s runs on the versions of Node that all of them run on', (name) => {
    expect(JSON.parse(read(name, 'package.json')).engines).toEqual({ node: '^20.19 || >=22.12' });
  });

  it('is checked for every way to load a package', () => {
    const text = `import a from "a";\nimport "b/c";\nexport { d } from '@d/d/e';\nawait import("f");\nrequire2("g");\nimport h from "node:fs";\nimport "./i.js";`;
    expect(packagesLoadedBy(text)).toEqual(['a', 'b', '@d/d', 'f', 'g']);
  });
});
