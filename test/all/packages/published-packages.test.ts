import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntilPrinted } from '../../support/start-service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** All but the private one, which is compiled into the others. */
const names = readdirSync(join(root, 'packages')).filter((name) => name !== 'http');
/** What package managers other than npm keep of the registry for the next run, as npm does by itself. */
const cache = join(root, 'node_modules/.cache/jig');
const managers = join(root, 'test/all/packages/node_modules');

const npmInstall = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: readonly Packed[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-published-'));
  const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], { cwd: root });
  packed = Object.values(JSON.parse(stdout));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const tarballs = () => packed.map(({ filename }) => join(folder, filename));

const main = `
import { runApplication } from '@jig/application';
import { clockFeature } from '@jig/clock';

await runApplication({
  name: 'Example',
  description: 'Built on the published packages.',
  version: '1.0.0',
  manifest: new URL('package.json', import.meta.url),
  features: [clockFeature, {
    name: 'mine',
    register(host) {
      host.define('mine', { type: 'Mine', create: () => ({ answer: 42 }) });
    },
  }],
});
`;

const typed = `
import '@jig/bean-inspection';
import '@jig/embedded-database/add-on';
import '@jig/redis-sessions/add-on';
import { type BeanSource, defineFeature, integer, runApplication } from '@jig/application';
import { type SessionStore } from '@jig/sessions';
import { clockFeature } from '@jig/clock';

export const feature = defineFeature({
  name: 'typed',
  section: 'typed',
  settings: { answer: integer({ default: 42, minimum: 0, maximum: 100, description: 'The answer.' }) },
  register(host) {
    const answer: number = host.settings.answer;
    host.define('rows', {
      type: 'Rows',
      create: ({ databasePool }) => async () => (await databasePool.postgresql().query<{ answer: number }>('SELECT 42 AS answer')).rows,
    });
    host.define('typed', { type: 'Typed', create: ({ configuration }) => ({ answer, sections: configuration.settings }) });
  },
});
export const options: Parameters<typeof runApplication>[0] = {
  name: 'n', description: 'd', version: '1', manifest: new URL('file:///package.json'), features: [clockFeature, feature],
};
export type Both = [BeanSource, SessionStore];
`;

/** What only CommonJS loads in this way. */
const database = `
import { startDatabase } from '@jig/embedded-database';
import { databaseSetup } from '@jig/embedded-database/jest';
import { databaseEnvironment } from '@jig/embedded-database/jest-environment';

export const setup = databaseSetup({ isolation: 'worker' });
export const starting = startDatabase({ port: 5432 });
export { databaseEnvironment };
`;

const configuration = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    noEmit: true,
    types: ['node'],
    skipLibCheck: false,
  },
  files: ['typed.ts', 'typed.cts'],
};

/** The compilers, by the folder with their `node_modules`. */
const compilers = { 'TypeScript 7': root, 'TypeScript 5.9': join(root, 'test/all/packages') };

/** What a compiler finds wrong in a folder. */
async function compile(compiler: keyof typeof compilers, project: string, place: string): Promise<string> {
  const tsc = join(compilers[compiler], 'node_modules/typescript/bin/tsc');
  const single = compiler === 'TypeScript 7' ? ['--singleThreaded'] : [];
  const { stdout } = await run(process.execPath, [tsc, ...single, '-p', project], { cwd: place }).catch(
    (error) => error,
  );
  return stdout;
}

const compilerNames = ['TypeScript 7', 'TypeScript 5.9'] as const;

/** Starts the application in a folder by a command such as `node` and gives its address. */
async function start(
  command: readonly [string, ...string[]],
  application: string,
): Promise<{ url: string; child: ChildProcess }> {
  const env = { PATH: process.env.PATH, PORT: '0', HOME: folder };
  const [program, ...args] = [...command, 'main.js', '--addOns.exclude=@jig/embedded-database'] as const;
  // In a process group of its own, since a package manager may run the application as a child.
  const child = spawn(program, args, { cwd: application, env, detached: true });
  const address = /listening on (http:\/\/[\w.:]+) /;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  try {
    await waitUntilPrinted(
      () => output,
      address,
      60_000,
      () => child.exitCode !== null,
    );
  } catch (error) {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    throw error;
  }
  return { url: address.exec(output)?.[1] ?? '', child };
}

async function tryOut(command: readonly [string, ...string[]], application: string): Promise<void> {
  const { url, child } = await start(command, application);
  try {
    expect(await (await fetch(`${url}/jig/bean/mine.json`)).json()).toEqual({ answer: 42 });
    expect(await (await fetch(`${url}/jig/bean/mine.xml`)).text()).toMatch(/<answer>42<\/answer>/);
    const page = await (await fetch(`${url}/clock/time`, { headers: { 'accept-language': 'fr-FR' } })).text();
    expect(page).toContain('<html lang="fr-FR"');
    const links = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(links).toHaveLength(3);
    for (const link of links) expect((await fetch(url + link)).status, link).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

const filesOf = (name: string) =>
  packed.find((one) => one.name === `@jig/${name}`)?.files.map(({ path }) => path) ?? [];

/** All texts in a value of JSON that are paths within the package. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('./') ? [value.slice(2)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

describe('the published package', () => {
  it.each(names)(
    '%s contains its built code, its types, a README and a licence, and no source, test or cache',
    (name) => {
      const files = filesOf(name);
      expect(files).toEqual(
        expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']),
      );
      const unwanted = /\.test\.|^src\/|(?<!\.d)\.ts$|tsbuildinfo|test-data|fixtures|\.cache$/;
      expect(files.filter((path) => unwanted.test(path))).toEqual([]);
    },
  );

  it.each(names)('%s names only existing files in package.json, under every export condition', (name) => {
    const { exports, jig } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    const named = pathsIn({ exports, jig });
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((path) => !filesOf(name).includes(path))).toEqual([]);
  });

  it.each(names)('%s contains no code of its dependencies', (name) => {
    const maps = filesOf(name).filter((path) => path.endsWith('.js.map'));
    expect(maps.length).toBeGreaterThan(0);
    const sources = maps.flatMap(
      (path) => JSON.parse(readFileSync(join(root, 'packages', name, path), 'utf8')).sources,
    );
    // What `@jig/inspect/basics` has is needed at the start, long before the rest of that package.
    const basics = /\/inspect\/src\/(?:inspection-options|walk\/pointer|objects\/reflection)\.ts$/;
    const others = sources.filter((path) => !/^(?:\.\.\/)+(?:http\/)?src\//.test(path));
    expect(others.filter((path) => !basics.test(path))).toEqual([]);
  });
});

describe('an application installed by npm', () => {
  let application: string;

  beforeAll(async () => {
    application = join(folder, 'application');
    await mkdir(application);
    await writeFile(join(application, 'package.json'), '{ "name": "example", "private": true, "type": "module" }');
    // The programs of databases are optional, large, and not started here.
    await run('npm', [...npmInstall, '--omit=optional', ...tarballs(), '@types/node@20'], { cwd: application });
    await writeFile(join(application, 'main.js'), main);
    await writeFile(join(application, 'typed.ts'), typed);
    await writeFile(join(application, 'typed.cts'), `${typed}${database}`);
    await writeFile(join(application, 'tsconfig.json'), JSON.stringify(configuration));
  });

  it('runs, with the add-ons on', async () => {
    await tryOut([process.execPath], application);
  });

  it.each(compilerNames)(
    'compiles with %s as an ES module and as CommonJS, with the types of libraries checked',
    async (compiler) => expect(await compile(compiler, '.', application)).toBe(''),
  );

  it('can be CommonJS and require the packages', async () => {
    const script = names.map((name) => `require('@jig/${name}')`).join('; ');
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=commonjs', '--eval', script];
    expect(await run(process.execPath, args, { cwd: application })).toEqual({ stdout: '', stderr: '' });
  });

  it.each(['', '/jest', '/vitest'])(
    'requires @jig/embedded-database%s as CommonJS, with the names of import',
    async (entry) => {
      const name = `'@jig/embedded-database${entry}'`;
      const script = `import(${name}).then((names) => console.log(require.resolve(${name}), Object.keys(require(${name})).sort().join() === Object.keys(names).sort().join()))`;
      const { stdout } = await run(process.execPath, ['--input-type=commonjs', '--eval', script], { cwd: application });
      expect(stdout).toMatch(/dist.cjs.\S+ true\n$/);
    },
  );
});

const expressMain = `
import { beanInspection } from '@jig/bean-inspection/express';
import express from 'express';

const app = express();
app.use(beanInspection({ pricing: new Map([['de', 19]]) }));
const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening on', server.address()));
`;

const { exports: entries } = JSON.parse(
  readFileSync(join(root, 'packages/bean-inspection/package.json'), 'utf8'),
) as Readonly<Record<'exports', Readonly<Record<string, { readonly default: string }>>>>;
const mountEntries = Object.entries(entries).flatMap(([entry, { default: file }]) =>
  file.startsWith('./dist/mounts/') ? entry.slice(2) : [],
);

const mountsTyped = `
import { createServer } from 'node:http';
import { type BeanSource, beanInspection } from '@jig/bean-inspection';
import { beanInspection as inExpress } from '@jig/bean-inspection/express';
import { beanInspection as inFastify } from '@jig/bean-inspection/fastify';
import { beanInspection as inHono } from '@jig/bean-inspection/hono';
import { beanInspection as inKoa } from '@jig/bean-inspection/koa';
import express from 'express';

const components = { pricing: { de: 19 } };
export const app = express().use(inExpress(components, { prefix: '/internal', token: process.env.BEAN_TOKEN }));
export const handlers = [components, new Map([['pricing', 19]]), () => components].map((each) => beanInspection(each));
export const others = [inHono(components), inKoa(components), inFastify];
export const server = createServer((request, response) => void handlers[0]?.(request, response));
export type Source = BeanSource;
${mountEntries.map((entry) => `export * as ${entry} from '@jig/bean-inspection/${entry}';`).join('\n')}
`;

/** The size in bytes of all files below a folder. */
const sizeOf = (below: string): number =>
  readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

describe('bean inspection in an Express application, installed by npm', () => {
  let application: string;
  let installed: { readonly modules: readonly string[]; readonly ours: readonly string[]; readonly size: number };

  beforeAll(async () => {
    application = join(folder, 'express');
    await mkdir(application);
    await writeFile(join(application, 'package.json'), '{ "name": "example", "private": true, "type": "module" }');
    const ours = packed.filter(({ name }) => ['@jig/bean-inspection', '@jig/inspect'].includes(name));
    await run('npm', [...npmInstall, ...ours.map(({ filename }) => join(folder, filename))], { cwd: application });
    // Before a test installs more.
    const modules = join(application, 'node_modules');
    installed = {
      modules: readdirSync(modules).filter((name) => !name.startsWith('.')),
      ours: readdirSync(join(modules, '@jig')).sort(),
      size: sizeOf(modules),
    };
  });

  it('installs only our two packages, of less than 2 MB together', () => {
    expect(installed.modules).toEqual(['@jig']);
    expect(installed.ours).toEqual(['bean-inspection', 'inspect']);
    expect(installed.size).toBeLessThan(2_000_000);
  });

  it('needs two added lines, and compiles with TypeScript 5.9 and 7 as an ES module and as CommonJS', async () => {
    const modules = join(application, 'node_modules');
    await mkdir(join(modules, '@types'));
    for (const name of ['express', '@types/express', '@types/node'])
      await symlink(join(root, 'node_modules', name), join(modules, name));
    await writeFile(join(application, 'main.js'), expressMain);
    await writeFile(join(application, 'typed.ts'), mountsTyped);
    await writeFile(join(application, 'typed.cts'), mountsTyped);
    await writeFile(join(application, 'tsconfig.json'), JSON.stringify(configuration));
    for (const compiler of compilerNames)
      expect([compiler, await compile(compiler, '.', application)]).toEqual([compiler, '']);
    const child = spawn(process.execPath, ['main.js'], {
      cwd: application,
      env: { PATH: process.env.PATH, PORT: '0' },
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const [, port] = /port: (\d+)/.exec(line.toString()) ?? [];
      expect(await (await fetch(`http://127.0.0.1:${port}/jig/bean/pricing.json`)).json()).toEqual({ de: 19 });
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});

/** Makes the folder of an application that depends on the packed packages. */
async function applicationFor(
  manager: string,
  overrides: (packages: Record<string, string>) => object,
): Promise<string> {
  const application = join(folder, manager);
  await mkdir(application);
  const dependencies = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]));
  // Our packages depend on each other by a version that no registry has.
  const manifest = { name: 'example', private: true, type: 'module', dependencies, ...overrides(dependencies) };
  await writeFile(join(application, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(application, 'main.js'), main);
  return application;
}

describe('an application installed by a package manager that lets packages load only what they declare', () => {
  it('runs with pnpm and hoist=false', async () => {
    const application = await applicationFor('pnpm', (overrides) => ({ pnpm: { overrides } }));
    await writeFile(join(application, '.npmrc'), 'hoist=false\n');
    const pnpm = join(managers, 'pnpm', 'bin', 'pnpm.cjs');
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-optional', '--store-dir', join(cache, 'pnpm')];
    await run(process.execPath, [pnpm, 'install', ...flags], { cwd: application });
    expect(existsSync(join(application, 'node_modules', 'fastify'))).toBe(false);
    await tryOut([process.execPath], application);
  });

  it("runs with Yarn Plug'n'Play, with the add-ons on", async () => {
    const application = await applicationFor('yarn', (resolutions) => ({ resolutions }));
    const registry = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).stdout.trim();
    const settings = {
      nodeLinker: 'pnp',
      enableGlobalCache: false,
      cacheFolder: join(cache, 'yarn'),
      enableImmutableInstalls: false,
      enableScripts: false,
      enableTelemetry: false,
      // Without the programs of databases, as above.
      supportedArchitectures: { os: ['none'], cpu: ['none'] },
      npmRegistryServer: registry,
      unsafeHttpWhitelist: [new URL(registry).hostname],
    };
    await writeFile(join(application, '.yarnrc.yml'), JSON.stringify(settings));
    await writeFile(join(application, 'yarn.lock'), '');
    const yarn = join(managers, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js');
    await run(process.execPath, [yarn, 'install'], { cwd: application });
    expect(existsSync(join(application, 'node_modules'))).toBe(false);
    await tryOut([process.execPath, yarn, 'node'], application);
  });
});
