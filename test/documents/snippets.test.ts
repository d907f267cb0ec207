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

/** The files that the worked example of CONTRIBUTING.md writes, each named in its first line. */
const contributed = [
  ...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/```ts\n\/\/ (service\/src\/\S+)\n([\s\S]*?)```/g),
].map(([, path = '', code = '']) => ({ file: basename(path), code }));

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

const testFiles = (snippets: readonly Snippet[]) =>
  snippets.map(({ name, code }) => ({ file: `${name}.test.ts`, code }));

describe('the snippets compile', () => {
  let complaints: readonly string[];
  const complaintsAbout = (page: string) => complaints.filter((line) => line.startsWith(`compiled/${placeOf(page)}/`));

  // The pages together, since the compiler then reads what they import once; in one thread, since several check the same types again.
  beforeAll(async () => {
    const ofPages = { file: 'tsconfig.json', code: JSON.stringify({ compilerOptions, include: ['*.ts'] }) };
    for (const page of compiled) await write(`compiled/${placeOf(page)}`, [...testFiles(snippetsOf(page)), ofPages]);
    const likeService = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { rootDir: '.', noEmit: true, rewriteRelativeImportExtensions: true },
      include: ['*.ts'],
    };
    const ofService = { file: 'tsconfig.json', code: JSON.stringify(likeService) };
    await write(`compiled/${placeOf('CONTRIBUTING.md')}`, [...contributed, ofService]);
    const places = [...compiled, 'CONTRIBUTING.md'].map((page) => `compiled/${placeOf(page)}`);
    const args = ['-b', '--singleThreaded', ...places];
    const { stdout } = await run(tool('tsc'), args, { cwd: folder }).catch((error) => error);
    complaints = stdout.split('\n').filter((line: string) => line !== '');
  });

  it.each(compiled)('of %s', (page) => {
    expect(complaintsAbout(page)).toEqual([]);
  });

  it('of CONTRIBUTING.md, as strictly as the service does', () => {
    expect(contributed.map(({ file }) => file)).toEqual(['countdown.ts', 'countdown.test.ts']);
    expect(complaintsAbout('CONTRIBUTING.md')).toEqual([]);
  });

  it('of all pages, without other errors', () => {
    expect(compiled.length).toBeGreaterThan(10);
    expect(complaints).toEqual([]);
  });
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
    for (const page of tested) await write(`run/${placeOf(page)}`, testFiles(running(page)));
    await write(`run/${placeOf('CONTRIBUTING.md')}`, contributed);
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
    expect(files).toHaveLength(running(page).length);
    for (const [message, ...outcomes] of files) expect([message, new Set(outcomes)]).toEqual(['', new Set(['passed'])]);
  });

  it('of CONTRIBUTING.md', () => {
    expect(results('CONTRIBUTING.md')).toEqual([['', 'passed', 'passed']]);
  });
});
