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
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
];

interface Snippet {
  readonly file: string;
  readonly code: string;
  /** Whether it is a test file, to be run, or a file that one imports. */
  readonly runs: boolean;
}

/**
 * The blocks marked `ts` or `ts run`, or with the name of their file in a comment. A comment `<!-- with … -->` before one has lines
 * that readers need not see.
 */
function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = text.matchAll(/(?:<!-- with\n([\s\S]*?)-->\n+)?```ts( run)?\n(?:\/\/ (service\S+)\n)?([\s\S]*?)```/g);
  return [...blocks].map(([, context = '', runs, path, code = ''], index) => ({
    file: path === undefined ? `${placeOf(page)}-${index + 1}.test.ts` : basename(path),
    code: `${context}${code}\nexport {};\n`,
    runs: runs !== undefined || path !== undefined,
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

const placeOf = (page: string) => page.replaceAll(/\W+/g, '-');
const compiled = pages.filter((page) => snippetsOf(page).length > 0);
const running = (page: string) => snippetsOf(page).filter(({ runs }) => runs);
const tested = pages.filter((page) => running(page).length > 0);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-snippets-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes files into a folder of their own, since beans of the same name on two pages may have different types. */
async function write(place: string, files: readonly { readonly file: string; readonly code: string }[]): Promise<void> {
  await mkdir(join(folder, place), { recursive: true });
  for (const { file, code } of files) await writeFile(join(folder, place, file), code);
}

it('all snippets compile', async () => {
  expect(compiled.length).toBeGreaterThan(10);
  const ofPages = { file: 'tsconfig.json', code: JSON.stringify({ compilerOptions, include: ['*.ts'] }) };
  for (const page of compiled) await write(`compiled/${placeOf(page)}`, [...snippetsOf(page), ofPages]);
  // Together, since the compiler then reads what they import once; in one thread, since several check the same types again.
  const args = ['-b', '--singleThreaded', ...compiled.map((page) => `compiled/${placeOf(page)}`)];
  const { stdout } = await run(tool('tsc'), args, { cwd: folder }).catch((error) => error);
  expect(stdout).toBe('');
});

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

describe('the snippets that are test files pass', () => {
  let report: Report;

  // In one run, since starting Vitest takes longer than the tests.
  beforeAll(async () => {
    for (const page of tested) await write(`run/${placeOf(page)}`, running(page));
    const args = ['run', '--root', join(folder, 'run'), '--reporter=json'];
    const { stdout, stderr } = await run(tool('vitest'), args).catch((error) => error);
    expect(stdout, stderr).toMatch(/^\{/);
    report = JSON.parse(stdout);
  });

  /** What became of the tests of each file. */
  const results = (page: string) =>
    report.testResults
      .filter(({ name }) => name.includes(`/run/${placeOf(page)}/`))
      .map(({ message, assertionResults }) => [
        message,
        ...assertionResults.map(({ status, failureMessages }) => failureMessages[0] ?? status),
      ]);

  it.each(tested)('of %s', (page) => {
    const files = results(page);
    expect(files).toHaveLength(running(page).filter(({ file }) => file.endsWith('.test.ts')).length);
    for (const [message, ...outcomes] of files) expect([message, new Set(outcomes)]).toEqual(['', new Set(['passed'])]);
  });
});
