import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allFiles, importsOf, isSource, root, type SourceFile, sourceFiles } from './imports.ts';

const files = sourceFiles();

/** A rule, the reason for it, and the files that break it. */
function rule(name: string, because: string, violations: () => readonly string[]): void {
  it(`${name}, because ${because}`, () => expect(violations()).toEqual([]));
}

const packageOf = (specifier: string) => specifier.split('/').slice(0, 2).join('/');
const isOurs = (specifier: string) => specifier.startsWith('@jig/') || specifier.startsWith('@jig-examples/');

/** From the ground up: a package may import those on lower floors. */
const packageFloors = [
  ['@jig/http'],
  ['@jig/inspect', '@jig/sessions'],
  ['@jig/application'],
  ['@jig/clock', '@jig/bean-inspection', '@jig/embedded-database', '@jig/redis-sessions'],
  ['@jig/console'],
  ['@jig-examples/shop'],
];

/** Which packages of ours each workspace may import. */
function mayImport({ workspace }: SourceFile): readonly string[] {
  const name = workspace.replace('packages/', '@jig/');
  const floor = packageFloors.findIndex((names) => names.includes(name));
  return floor === -1 ? packageFloors.flat() : packageFloors.slice(0, floor).flat();
}

describe('between packages', () => {
  rule('arrows point down only', 'a package that knows nothing above or beside it can be used alone', () =>
    files.flatMap((file) =>
      file.imports
        .filter((specifier) => isOurs(specifier) && !mayImport(file).includes(packageOf(specifier)))
        .map((specifier) => `${file.path} imports ${specifier}`),
    ),
  );

  rule('nobody imports the inside of another package', 'what is not exported may change without notice', () =>
    files.flatMap((file) =>
      file.imports
        .filter((specifier) => isOurs(specifier) && !isExported(specifier))
        .concat(file.imports.filter((path) => isPath(path) && !isReachable(path, file.workspace)))
        .map((specifier) => `${file.path} imports ${specifier}`),
    ),
  );
});

/** The bench may start the servers that tests start: what is below test-fixtures is not published. */
const isReachable = (path: string, workspace: string) =>
  path.startsWith(`${workspace}/`) || (workspace === 'bench' && /^packages\/[^/]+\/test-fixtures\//.test(path));

const isPath = (imported: string) => isSource(imported) || imported.startsWith('..');

function isExported(specifier: string): boolean {
  const manifest = join(root, 'node_modules', packageOf(specifier), 'package.json');
  const subpath = `.${specifier.slice(packageOf(specifier).length)}`;
  return existsSync(manifest) && Object.hasOwn(JSON.parse(readFileSync(manifest, 'utf8')).exports ?? {}, subpath);
}

/** Of these packages only the files named here may know the host; `@jig/inspect` and `@jig/sessions` have none. */
const hostFiles: Readonly<Record<string, readonly string[]>> = {
  'packages/inspect': [],
  'packages/sessions': [],
  'packages/embedded-database': ['add-on.ts', 'settings.ts'],
  'packages/redis-sessions': ['add-on.ts', 'settings.ts'],
};

function importsOfHost(sources: readonly Pick<SourceFile, 'path' | 'workspace' | 'imports'>[]): string[] {
  return sources
    .filter(({ path, workspace }) => {
      const allowed = hostFiles[workspace];
      return allowed !== undefined && !allowed.some((name) => path === `${workspace}/src/${name}`);
    })
    .flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => packageOf(specifier) === '@jig/application')
        .map((specifier) => `${path} imports ${specifier}`),
    );
}

describe('packages that stand alone', () => {
  rule('the core of a package does not import the host', 'whoever wants one thing installs one thing', () =>
    importsOfHost(files),
  );

  rule('a database needs no sessions, except to store them', 'they are an optional peer of the embedded database', () =>
    files
      .filter(
        ({ path }) =>
          path.startsWith('packages/embedded-database/src/') && !/\/src\/session-store\/|\.test\.ts$/.test(path),
      )
      .flatMap(({ path, imports }) =>
        imports
          .filter((specifier) => packageOf(specifier) === '@jig/sessions')
          .map((specifier) => `${path} imports ${specifier}`),
      ),
  );
});

/** The rooms of the host from the ground up; a room may use those on lower floors and its own. */
const floors = [
  ['errors', 'commonjs-dependencies', 'installed-package', 'bounded-cache'],
  ['deadline', 'files'],
  ['configuration'],
  ['beans'],
  ['http'],
  ['sessions', 'messages', 'assets'],
  ['add-ons'],
  ['lifecycle'],
  ['index', 'internal', 'testing'],
];

describe('within the host', () => {
  const host = files.filter(({ workspace }) => workspace === 'packages/application');

  rule('every folder has its floor', 'a newcomer should find each one in the table of docs/architecture.md', () =>
    withoutFloor(host, floors),
  );

  rule('folders use only lower floors', 'a part that knows nothing above it can be understood and tested alone', () =>
    importsFromAbove(host, floors),
  );
});

/** The folders and files of each package from the ground up. Those on the same floor may not import each other. */
const floorsOfPackages: Readonly<Record<string, { readonly because: string; readonly floors: Floors }>> = {
  'packages/inspect': {
    because: 'the walk and masking can be read without knowing any writer',
    floors: [
      ['errors', 'chunks', 'inner-session'],
      ['masking'],
      ['walk'],
      ['views'],
      ['inspection-options', 'xml'],
      ['writer', 'outline', 'find'],
      ['inspect', 'view-suite'],
      ['index', 'internal', 'basics'],
    ],
  },
  'packages/http': {
    because: 'requests can be judged without knowing how an error or a page is written',
    floors: [
      ['coded-error', 'negotiation', 'problem-xml', 'requests', 'secret-file', 'security-headers'],
      ['plain-page'],
      ['problem'],
      ['index'],
    ],
  },
  'packages/sessions': {
    because: 'the store contract and the cookie can be understood without the plugin',
    floors: [
      ['errors', 'session-store', 'server-clock'],
      ['attributes', 'deadline', 'session-cookie'],
      ['batcher', 'memory-session-store'],
      ['guarded-session-store', 'store-suite'],
      ['session-manager'],
      ['session'],
      ['session-plugin'],
      ['index', 'internal'],
    ],
  },
  'packages/bean-inspection': {
    because: 'the contract of a source and the access rules can be understood without the mounts',
    floors: [
      ['http', 'package-folder'],
      ['instances'],
      ['sources'],
      ['beans', 'process'],
      ['live', 'readings'],
      ['watch'],
      ['browser'],
      ['graph', 'compare'],
      ['mcp'],
      ['resources'],
      ['mounts'],
      ['host'],
      ['add-on', 'index', 'internal', 'opentelemetry', 'worker'],
    ],
  },
  'packages/console': {
    because: 'what runs on a machine can be known without pages, agents or a command line',
    floors: [
      ['usage-error', 'version', 'processes'],
      ['discovery'],
      ['agent'],
      ['run', 'attach'],
      ['pages', 'mcp'],
      ['commands'],
      ['run-command'],
      ['command', 'index'],
    ],
  },
  'packages/clock': {
    because: 'tables, locales and zones can be understood without the page, and the page without its routes',
    floors: [
      ['errors', 'memoize', 'package-folder'],
      ['tables'],
      ['locales', 'zones'],
      ['names', 'formatting', 'selection', 'clock-settings'],
      ['clock', 'page'],
      ['routes'],
      ['feature'],
      ['index'],
    ],
  },
  'packages/embedded-database': {
    because: 'the supervisor and the engines must work without pool, sessions, test runners and host',
    floors: [
      ['errors', 'settings'],
      ['connection', 'supervisor'],
      ['engines', 'database'],
      ['pool', 'external-database', 'socket-folder', 'password-file', 'certificate', 'databases'],
      ['session-store', 'embedded-database', 'migrations', 'database-server'],
      ['temporary', 'start-options', 'connect-database', 'database-views'],
      ['start-database'],
      ['kept-databases'],
      ['test-run', 'run-command', 'add-on'],
      ['vitest', 'vitest-worker', 'jest', 'jest-environment', 'playwright', 'node-test', 'command'],
      ['index', 'jest-teardown', 'register'],
    ],
  },
  'packages/redis-sessions': {
    because: 'the store must work without the host',
    floors: [
      ['errors', 'settings'],
      ['redis-address'],
      ['redis-node'],
      ['redis-servers'],
      ['sentinel-redis', 'cluster-redis'],
      ['redis-connection'],
      ['redis-session-store'],
      ['add-on'],
      ['index'],
    ],
  },
};

describe.each(Object.entries(floorsOfPackages))('within %s', (name, { because, floors: own }) => {
  const sources = files.filter(({ workspace }) => workspace === name);

  rule('every folder and file has its floor', 'what has no floor is checked by no rule', () =>
    withoutFloor(sources, own),
  );

  rule('files import lower floors only', because, () => importsFromAbove(sources, own));
});

describe('within bean inspection', () => {
  rule(
    'only the add-on and host/ import the host or Fastify',
    'the core is mounted in applications that have neither',
    () =>
      files
        .filter(({ workspace }) => workspace === 'packages/bean-inspection')
        .filter(({ path }) => !['add-on', 'host'].includes(topLevelName(path)))
        .flatMap(({ path, imports }) =>
          imports
            .filter((specifier) => /^(?:@jig\/application|fastify)(?:\/|$)|\/src\/(?:add-on|host)\b/.test(specifier))
            .map((specifier) => `${path} imports ${specifier}`),
        ),
  );
});

describe('within inspect', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const onlyTypes = (path: string) => !/^import (?!type )[^;]*from 'node:/m.test(read(path));
  const allowed = (path: string, target: string) =>
    /^node:(buffer|timers\/promises|util|vm)$/.test(target) ||
    // Compiled in, so not to be installed.
    target === '@jig/http/coded-error' ||
    // Those who test a view load it; types are not loaded at all.
    (path.endsWith('/view-suite.ts') && target === 'node:assert/strict') ||
    (path.endsWith('/inner-session.ts') && target === 'node:inspector') ||
    (path.endsWith('/views/node.ts') && target.startsWith('node:') && onlyTypes(path));

  rule('only Node is imported', 'the library is used without HTTP, host or dependencies', () =>
    files
      .filter(({ workspace }) => workspace === 'packages/inspect')
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => !isPath(target) && !allowed(path, target))
          .map((target) => `${path} imports ${target}`),
      ),
  );
});

/** The folders and files of the bench from the ground up. Those on the same floor may not import each other. */
const benchFloors = [
  { names: ['suite'], because: 'every suite and the harness depend on this contract' },
  { names: ['judge', 'http'], because: 'ratios need no servers, and servers do not know how they are judged' },
  {
    names: ['rows', 'samples'],
    because: 'rows are measured without knowing how a sample is taken, and samples without knowing the rows',
  },
  { names: ['run-suites'], because: 'the harness takes the rows of all suites in turns without knowing the suites' },
  {
    names: ['start-suite', 'clock-suite', 'bean-inspection', 'sessions', 'database', 'growth-suite', 'report'],
    because: 'a suite can be added or removed without touching the others or the report',
  },
  { names: ['main'], because: 'only the command knows all suites' },
];

describe('within the bench', () => {
  const bench = files.filter(({ workspace }) => workspace === 'bench');
  const namesByFloor = benchFloors.map(({ names }) => names);

  rule('every folder has its floor', 'what has no floor is checked by no rule', () =>
    withoutFloor(bench, namesByFloor),
  );

  for (const { names, because } of benchFloors) {
    rule(`${names.join(', ')} import lower floors only`, because, () =>
      importsFromAbove(
        bench.filter(({ path }) => names.includes(topLevelName(path))),
        namesByFloor,
      ),
    );
  }
});

type Floors = readonly (readonly string[])[];

/** The name of a folder or file directly below `src`, without extension. */
function topLevelName(path: string): string {
  return /(?:^|\/)src\/([^/.]+)/.exec(path)?.[1] ?? '';
}

function floorOf(path: string, floors: Floors): number {
  return floors.findIndex((names) => names.includes(topLevelName(path)));
}

function withoutFloor(sources: readonly Pick<SourceFile, 'path'>[], floors: Floors): string[] {
  return sources.map(({ path }) => path).filter((path) => floorOf(path, floors) === -1);
}

function importsFromAbove(sources: readonly Pick<SourceFile, 'path' | 'imports'>[], floors: Floors): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter((target) => isPath(target) && topLevelName(target) !== topLevelName(path))
      .filter((target) => floorOf(target, floors) >= floorOf(path, floors))
      .map((target) => `${path} imports ${target}`),
  );
}

describe('everywhere', () => {
  rule('no file imports itself by a detour', 'a cycle has no first file to read', () => {
    // Helpers of tests may share types.
    const importsFor = ({ path, text, imports }: SourceFile) =>
      path.startsWith('test') ? importsOf(path, text.replace(/^(?:im|ex)port type\b[^;]*;/gm, '')) : imports;
    const graph = new Map(allFiles().map((file) => [file.path, importsFor(file).filter(isSource)]));
    return [...graph.keys()].flatMap((start) => cycleFrom(start, graph));
  });

  rule(
    'files are named for what they hold',
    'a drawer called utils fills up with what nobody will look for there',
    () =>
      files
        .map(({ path }) => path)
        .filter((path) => !/^[a-z\d]+(-[a-z\d]+)*\.((test\.|d\.)?ts|mjs)$/.test(basename(path)) || isDrawer(path)),
  );

  rule('an index lists what it exports by name', 'export * hides what a package offers', () =>
    files.filter(({ path, text }) => basename(path) === 'index.ts' && /export \*/.test(text)).map(({ path }) => path),
  );

  rule(
    'nobody imports more than types of node:http',
    'that reads http.WebSocket, which loads undici: 45 ms and 10 MB on Node 22 and newer, in applications under jig run too',
    () =>
      files
        .filter(
          ({ path, text }) => /^(?:packages|service)/.test(path) && /^import (?!type\b)[^;]*'node:http'/m.test(text),
        )
        .map(({ path }) => path),
  );

  rule('each package has one errors.ts at most', 'codes are looked up in one place', () => {
    const catalogues = files.filter(({ path }) => basename(path) === 'errors.ts').map(({ workspace }) => workspace);
    return catalogues.filter((workspace, index) => catalogues.indexOf(workspace) !== index);
  });

  const packages = readdirSync(join(root, 'packages'));
  it.each(packages)('importing @jig/%s does nothing, because start and stop are explicit', (name) => {
    const script = `await import('@jig/${name}'); console.log(process.getActiveResourcesInfo().filter((r) => /Timer|Server|Process/.test(r)).join())`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(root, 'packages', name),
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect({ stdout: stdout.trim(), stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });
});

const isDrawer = (path: string) => /(^|\/)(utils?|helpers?|common|misc|types|shared|lib)(\/|\.ts$)/.test(path);

function cycleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const waiting = [...(graph.get(start) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === start) return [start];
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return [];
}

describe('the rules themselves', () => {
  it('see every form of import', () => {
    const text = `import a from './a.ts';\nexport { b } from "../b.ts";\nimport type { C } from '@jig/c';\nawait import('./d.ts');\nimport './e.ts';`;
    expect(importsOf('packages/x/src/file.ts', text)).toEqual([
      'packages/x/src/a.ts',
      'packages/x/b.ts',
      '@jig/c',
      'packages/x/src/d.ts',
      'packages/x/src/e.ts',
    ]);
  });

  it('find the host in the core of a package, and let its add-on have it', () => {
    const workspace = 'packages/redis-sessions';
    const imports = ['@jig/application/internal', '@jig/sessions'];
    const sources = ['src/add-on.ts', 'src/store.ts'].map((name) => ({
      path: `${workspace}/${name}`,
      workspace,
      imports,
    }));
    expect(importsOfHost(sources)).toEqual([`${workspace}/src/store.ts imports @jig/application/internal`]);
  });

  it('find imports from the same floor, from above and without a floor', () => {
    const floors = [['ground'], ['left', 'right'], ['top']];
    const left = 'packages/x/src/left/a.ts';
    const imports = ['left/b.ts', 'ground.ts', 'right/c.ts', 'top.mjs'].map((name) => `packages/x/src/${name}`);
    expect(importsFromAbove([{ path: left, imports: [...imports, '@jig/inspect'] }], floors)).toEqual([
      `${left} imports packages/x/src/right/c.ts`,
      `${left} imports packages/x/src/top.mjs`,
    ]);
    const attic = 'packages/x/src/attic/a.ts';
    expect(withoutFloor([{ path: left }, { path: attic }], floors)).toEqual([attic]);
  });

  it('find a cycle', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ]);
    expect(cycleFrom('a', graph)).toEqual(['a']);
    expect(cycleFrom('d', graph)).toEqual([]);
  });
});
