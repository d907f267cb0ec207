import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
// The variables of this test run must not change what a reader would see.
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

/** What stands between a heading of the README and the next one. */
const sectionOf = (heading: string) => readme.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';

const blocksOf = (section: string, language: string) =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block);

const wordsOf = (block = '') =>
  block
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

/** What to type while our packages are in no registry. */
const [packing, installing] = blocksOf(sectionOf('Until the packages are published'), 'sh').map(wordsOf);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-readme-uses-'));
  const [build, [npm = '', ...pack] = []] = packing ?? [];
  expect(build).toEqual(['npm', 'run', 'build']);
  await run(npm, [...pack.map((word) => (word === '..' ? folder : word)), '--loglevel=error'], { cwd: root });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The name of a package for its file: `../jig-inspect-0.1.0.tgz` is `@jig/inspect`. */
const nameOf = (word: string) => word.replace(/^\.\.\/jig-([a-z-]+)-[\d.]+\.tgz$/, '@jig/$1');

/** Does what a section says, in an empty folder: installs, by the line with files for its line with names, and writes its file. */
async function follow(heading: string, name: string): Promise<{ place: string; commands: readonly string[] }> {
  const place = join(folder, name);
  await mkdir(place);
  const section = sectionOf(heading);
  const [install = '', commands = ''] = blocksOf(section, 'sh');
  const names = wordsOf(install)[0] ?? [];
  const [npm = '', ...args] = installing?.find((line) => names.every((word) => line.map(nameOf).includes(word))) ?? [];
  await run(npm, [...args, ...flags], { cwd: place });
  const [, file = '', code = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(blocksOf(section, 'js')[0] ?? '') ?? [];
  await writeFile(join(place, file), code);
  return { place, commands: commands.trim().split('\n') };
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

async function firstAnswer(url: string, child: ChildProcess): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && child.exitCode === null; ) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers ${url}.`);
}

describe.concurrent('the README, followed to the letter in an empty folder', { timeout: 240_000 }, () => {
  it('adds inspection to an application', async () => {
    const { place, commands } = await follow('Add inspection to your application', 'inspection');
    const [start = '', ...requests] = commands;
    const PORT = await freePort();
    const [program = '', ...args] = start.replace(/ &$/, '').split(' ');
    const child = spawn(program, args, { cwd: place, env: { ...env, PORT }, stdio: 'ignore' });
    try {
      expect(requests).toHaveLength(2);
      for (const request of requests) {
        const [, url = '', answer] = /^curl (\S+) +# (.*)$/.exec(request) ?? [];
        expect(await firstAnswer(url.replace('3000', PORT), child)).toBe(answer);
      }
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });

  it('brings a database for tests', async () => {
    const { place, commands } = await follow('A database for your tests', 'database');
    expect(commands).toEqual(['node --test']);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: place, env });
    expect(stdout).toMatch(/^# pass 1$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});
