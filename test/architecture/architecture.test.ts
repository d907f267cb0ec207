import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  /** The workspace it belongs to: `packages/clock`, `service`, … */
  readonly workspace: string;
  readonly text: string;
  /** What it imports: a path from the root for a relative import, else the specifier. */
  readonly imports: readonly string[];
}

const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"]+)\1/g;

function workspaceOf(path: string): string {
  const parts = path.split(sep);
  return ['packages', 'examples'].includes(parts[0] ?? '') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path);
    return /(?<!\.test)\.(ts|mjs)$/.test(path) && path.includes(`${sep}src${sep}`) ? [path] : [];
  });
}

/** Every source that is shipped or run, tests left out. Strings that look like imports count too, which errs on the strict side. */
const files: readonly SourceFile[] = ['packages', 'service', 'examples', 'bench'].flatMap(filesBelow).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.matchAll(importPattern)].map(([, , specifier = '']) =>
    specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
  );
  return { path, workspace: workspaceOf(path), text, imports };
});

const packageOf = (specifier: string) => specifier.split('/').slice(0, 2).join('/');
const isOurs = (specifier: string) => /^@jig(?:-examples)?\//.test(specifier);
const isPath = (imported: string) => /\.(ts|mjs)$/.test(imported) && !imported.startsWith('node:');

/** What each package may import of the others. Examples, service and bench may import all of them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  http: [],
  inspect: ['http'],
  sessions: ['http'],
  application: ['http', 'inspect', 'sessions'],
  clock: ['http', 'inspect', 'sessions', 'application'],
  'bean-inspection': ['http', 'inspect', 'sessions', 'application'],
  'embedded-database': ['http', 'inspect', 'sessions', 'application'],
  'redis-sessions': ['http', 'inspect', 'sessions', 'application'],
  console: ['http', 'inspect', 'sessions', 'application', 'bean-inspection'],
};

/** The only places of a package that may import another one, where it stands alone otherwise. */
const places: readonly (readonly [workspace: string, other: string, places: RegExp])[] = [
  ['packages/embedded-database', '@jig/application', /^add-on(?:\.ts|\/settings)/],
  ['packages/embedded-database', '@jig/sessions', /^add-on\//],
  ['packages/redis-sessions', '@jig/application', /^(?:add-on|settings)\.ts$/],
  ['packages/bean-inspection', '@jig/application', /^(?:add-on\.ts|host\/)/],
  ['packages/bean-inspection', 'fastify', /^(?:add-on\.ts|host\/)/],
];

/** A rule, the reason for it, and the imports that break it. */
function rule(name: string, because: string, isBroken: (file: (typeof files)[number], imported: string) => boolean) {
  it(`${name}, because ${because}`, () => {
    const broken = files.flatMap((file) =>
      file.imports.filter((imported) => isBroken(file, imported)).map((imported) => `${file.path} imports ${imported}`),
    );
    expect(broken).toEqual([]);
  });
}

function isExported(specifier: string): boolean {
  const { exports } = JSON.parse(
    readFileSync(join(root, 'node_modules', packageOf(specifier), 'package.json'), 'utf8'),
  );
  return Object.hasOwn(exports, `.${specifier.slice(packageOf(specifier).length)}`);
}

describe('between packages', () => {
  rule(
    'arrows point down only',
    'a package that knows nothing above or beside it can be used alone',
    (file, imported) => {
      const allowed = packages[file.workspace.replace('packages/', '')];
      return (
        allowed !== undefined && isOurs(imported) && !allowed.some((name) => packageOf(imported) === `@jig/${name}`)
      );
    },
  );

  rule('nobody imports the inside of another package', 'what is not exported may change', ({ workspace }, imported) => {
    if (isOurs(imported)) return !isExported(imported);
    // The bench starts the servers that tests start.
    const isFixture = workspace === 'bench' && imported.includes('/test-fixtures/');
    return isPath(imported) && !imported.startsWith(`${workspace}/`) && !isFixture;
  });

  rule('host, sessions and Fastify stay at the edge', 'whoever wants one thing installs one thing', (file, imported) =>
    places.some(
      ([workspace, other, allowed]) =>
        file.workspace === workspace &&
        (imported === other || imported.startsWith(`${other}/`)) &&
        !allowed.test(file.path.slice(`${workspace}/src/`.length)),
    ),
  );

  rule('inspect imports only Node', 'the library is used without HTTP, host or dependencies', (file, imported) => {
    const isAllowed = /^node:(?:assert\/strict|buffer|inspector|timers\/promises|util|vm)$|^@jig\/http\/coded-error$/;
    const isTypesOnly = file.path.includes('/views/') && imported.startsWith('node:');
    return file.workspace === 'packages/inspect' && !isPath(imported) && !isAllowed.test(imported) && !isTypesOnly;
  });
});

it('only types are imported of node:http, because it loads undici: 45 ms and 10 MB on Node 22 and newer', () => {
  const importing = files.filter(
    ({ path, text }) => /^(?:packages|service)/.test(path) && /^import (?!type\b)[^;]*'node:http'/m.test(text),
  );
  expect(importing.map(({ path }) => path)).toEqual([]);
});
