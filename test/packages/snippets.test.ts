import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = (name: string) => join(root, 'node_modules/.bin', name);

const pages = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
];

interface Snippet {
  readonly name: string;
  readonly code: string;
  /** Whether it is a test file, to be run. */
  readonly runs: boolean;
}

/** The blocks marked `ts` or `ts run`. A comment `<!-- with … -->` before one has lines that readers need not see. */
function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = text.matchAll(/(?:<!-- with\n([\s\S]*?)-->\n+)?```ts( run)?\n([\s\S]*?)```/g);
  return [...blocks].map(([, context = '', runs, code = ''], index) => ({
    name: `${page.replaceAll(/\W+/g, '-')}-${index + 1}`,
    code: `${context}${code}\nexport {};\n`,
    runs: runs !== undefined,
  }));
}

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  experimentalDecorators: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-snippets-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A folder of its own, since beans of the same name on two pages may have different types. */
async function write(page: string, snippets: readonly Snippet[]): Promise<string> {
  const own = join(folder, page.replaceAll(/\W+/g, '-'));
  await mkdir(own);
  await writeFile(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const { name, code } of snippets) await writeFile(join(own, `${name}.test.ts`), code);
  return own;
}

describe('the snippets compile', { timeout: 120_000 }, () => {
  const compiled = pages.filter((page) => snippetsOf(page).length > 0);
  const places = new Map<string, string>();
  let complaints: readonly string[];

  // The pages together, since the compiler then reads what they import once; in one thread, since several check the same types again.
  beforeAll(async () => {
    for (const page of compiled) places.set(page, basename(await write(`${page} compiled`, snippetsOf(page))));
    const args = ['-b', '--singleThreaded', ...places.values()];
    const { stdout } = await run(tool('tsc'), args, { cwd: folder }).catch((error) => error);
    complaints = stdout.split('\n').filter((line: string) => line !== '');
  });

  it.each(compiled)('of %s', (page) => {
    expect(complaints.filter((line) => line.startsWith(`${places.get(page)}/`))).toEqual([]);
  });

  it('of all pages, and nothing else is wrong', () => {
    expect(places.size).toBeGreaterThan(10);
    expect(complaints).toEqual([]);
  });
});

describe('the snippets that are test files pass', { timeout: 120_000 }, () => {
  const running = (page: string) => snippetsOf(page).filter(({ runs }) => runs);

  it.each(pages.filter((page) => running(page).length > 0))('of %s', async (page) => {
    const own = await write(`${page} run`, running(page));
    const env = { ...process.env, NO_COLOR: '1' };
    const { stdout, stderr } = await run(tool('vitest'), ['run', '--root', own], { env }).catch((error) => error);
    expect(`${stdout}${stderr}`).toMatch(/Tests +[1-9]\d* passed \(/);
  });
});

describe('docs/deploy.md', () => {
  const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8');

  it('has a systemd unit with all that it needs', () => {
    const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(text) ?? [];
    const keys = [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value] as const);
    const values = new Map(keys);
    expect(values.get('Environment')).toContain(`JIG_HOME=/var/lib/${values.get('StateDirectory')}`);
    expect(Number(values.get('TimeoutStopSec'))).toBeGreaterThan(20);
  });
});
