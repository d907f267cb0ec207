import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folderOf = (name: string) => join(root, 'packages', name);

interface Packed {
  readonly path: string;
  readonly size: number;
}

/** The files of a package as npm publishes it. */
function packed(name: string): readonly Packed[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, {
    cwd: folderOf(name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(output) as [{ readonly files: readonly Packed[] }])[0].files;
}

/** What files take on a disk, in KB: whole blocks, and one for each folder. */
function installedSize(files: readonly Packed[]): number {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  return files.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4, folders.size * 4);
}

function filesBelow(folder: string): readonly Packed[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, stats: statSync(join(folder, path)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ path, stats }) => ({ path, size: stats.size }));
}

const names = readdirSync(join(root, 'packages')).filter((name) => name !== 'http');
const published = new Map(names.map((name) => [name, packed(name)]));
const pathsOf = (name: string) => (published.get(name) ?? []).map(({ path }) => path);

const declarationsOf = (name: string) => new Set(pathsOf(name).filter((path) => path.endsWith('.d.ts')));

function importedBy(name: string, path: string): readonly string[] {
  const text = readFileSync(join(folderOf(name), path), 'utf8');
  return [...text.matchAll(/(?:from |import\()["'](\.[^"']+)["']/g)].map(([, file = '']) =>
    posix.join(posix.dirname(path), file.replace(/\.[jt]s$/, '.d.ts')),
  );
}

describe('the published files', () => {
  it.each(names)('of %s have every declaration that one of them imports', (name) => {
    const declarations = declarationsOf(name);
    const missing = [...declarations].flatMap((path) =>
      importedBy(name, path)
        .filter((file) => !declarations.has(file))
        .map((file) => `${file}, for ${path}`),
    );
    expect(missing).toEqual([]);
    expect(declarations).toContain('dist/index.d.ts');
  });

  it.each(['inspect', 'bean-inspection'])('of %s have no declaration that no entry leads to', (name) => {
    const { exports } = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, { readonly types?: string }>>;
    };
    const needed = new Set(
      Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [types.slice(2)])),
    );
    // A Set also visits what is added meanwhile.
    for (const path of needed) for (const file of importedBy(name, path)) needed.add(file);
    expect([...declarationsOf(name)].filter((path) => !needed.has(path))).toEqual([]);
  });

  it.each(['inspect', 'bean-inspection'])('of %s have a source map for every module with code', (name) => {
    const paths = new Set(pathsOf(name));
    const modules = [...paths].filter((path) => path.endsWith('.js') && !path.includes('/assets/'));
    const withoutMap = modules.filter((path) => !paths.has(`${path}.map`));
    const passedOn = /^(?:\s*(?:import|export)\b[^;]*;)+/;
    const restOf = (path: string) =>
      readFileSync(join(folderOf(name), path), 'utf8')
        .replace(passedOn, '')
        .trim();
    expect(withoutMap.map(restOf).filter((rest) => rest !== '')).toEqual([]);
  });

  it.each(names)('of %s do not name the private package, because nobody can install it', (name) => {
    const read = (path: string) => readFileSync(join(folderOf(name), path), 'utf8');
    const texts = pathsOf(name).filter((path) => /\.(?:[cm]?js|d\.[cm]?ts)$/.test(path));
    expect(texts.filter((path) => read(path).includes('@jig/http'))).toEqual([]);
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(read('package.json'));
    expect({ ...dependencies, ...peerDependencies, ...optionalDependencies }).not.toHaveProperty(['@jig/http']);
  });

  it('of bean inspection and all that it needs take 2,048 KB at most', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folderOf('bean-inspection'), 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const others = Object.keys(dependencies).filter((name) => name !== '@jig/inspect');
    const folders = others.map((name) => join(root, 'node_modules', name)).filter((folder) => existsSync(folder));
    expect(folders).toHaveLength(others.length);
    const own = ['bean-inspection', 'inspect'].map((name) => published.get(name) ?? []);
    const sizes = [...own, ...folders.map(filesBelow)].map(installedSize);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2048);
  });
});
