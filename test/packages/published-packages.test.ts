import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const names = readdirSync(join(root, 'packages'));

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: readonly Packed[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-stranger-'));
  const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], { cwd: root });
  packed = Object.values(JSON.parse(stdout));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const main = `
import { runApplication } from '@jig/application';
import { clockFeature } from '@jig/clock';

await runApplication({
  name: 'Stranger',
  description: 'Built on packages from a registry.',
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
import '@jig/embedded-database';
import '@jig/redis-sessions';
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
  files: ['typed.ts'],
};

/** Starts the stranger's application with the given Node and gives its address. */
async function start(node: string, application: string): Promise<{ url: string; child: ChildProcess }> {
  const env = { PATH: process.env.PATH, PORT: '0', HOME: folder };
  const child = spawn(node, ['main.js', '--addOns.exclude=@jig/embedded-database'], { cwd: application, env });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const url = /listening on (http:\/\/[\w.:]+) /.exec(output)?.[1];
    if (url !== undefined) return { url, child };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(output);
}

async function tryOut(node: string, application: string): Promise<void> {
  const { url, child } = await start(node, application);
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

describe('each package', () => {
  it.each(names)('%s holds what it needs, and nothing else', (name) => {
    const files = packed.find((one) => one.name === `@jig/${name}`)?.files.map(({ path }) => path) ?? [];
    expect(files).toContain('package.json');
    expect(files).toContain('README.md');
    expect(files).toContain('LICENSE');
    expect(files).toContain('dist/index.js');
    expect(files).toContain('dist/index.d.ts');
    expect(files.filter((path) => /\.test\.|^src\/|(?<!\.d)\.ts$|tsbuildinfo|test-data|fixtures/.test(path))).toEqual(
      [],
    );
  });

  it.each(names)('%s exports only files that it holds', (name) => {
    const files = packed.find((one) => one.name === `@jig/${name}`)?.files.map(({ path }) => `./${path}`) ?? [];
    const { exports, jig } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    const targets = Object.values(exports as Record<string, { types: string; default: string }>);
    for (const { types, default: module } of targets) expect(files).toEqual(expect.arrayContaining([types, module]));
    if (jig?.addOn !== undefined) expect(files).toContain(jig.addOn.default);
  });

  it.each(names)('%s shows in its README, in a few lines, how it is used', (name) => {
    const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
    expect(readme).toMatch(/```(ts|js|json|console|sh)\n/);
  });
});

describe('a stranger', () => {
  let application: string;

  beforeAll(async () => {
    application = join(folder, 'application');
    await mkdir(application);
    await writeFile(join(application, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
    const tarballs = packed.map(({ filename }) => join(folder, filename));
    const tools = ['typescript@7.0.2', '@types/node@20'];
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...flags, ...tarballs], { cwd: application });
    await run('npm', ['install', '--save-dev', ...flags, ...tools], { cwd: application });
    await writeFile(join(application, 'main.js'), main);
    await writeFile(join(application, 'typed.ts'), typed);
    await writeFile(join(application, 'tsconfig.json'), JSON.stringify(configuration));
  }, 240_000);

  it('installs the packages in an empty folder, and has an application on them, with the add-ons on', async () => {
    await tryOut(process.execPath, application);
  }, 90_000);

  it('has types for what he writes', async () => {
    const { stdout } = await run(join(application, 'node_modules', '.bin', 'tsc'), ['-p', '.'], {
      cwd: application,
    }).catch((error) => error);
    expect(stdout).toBe('');
  }, 90_000);

  it('can use the newest Node as well', async () => {
    const newest = join(folder, 'newest');
    await mkdir(newest);
    const binary = `node-${process.platform}-${process.arch}`;
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', '--prefix', newest, ...flags, `${binary}@26`], { cwd: newest });
    const node = join(newest, 'node_modules', binary, 'bin', 'node');
    expect(existsSync(node)).toBe(true);
    await tryOut(node, application);
  }, 240_000);
});
