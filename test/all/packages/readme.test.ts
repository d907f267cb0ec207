import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const running: ChildProcess[] = [];
// The variables of this test run must not change what a reader would see.
const { PATH, HOME } = process.env;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-readme-'));
});

afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

/** The blocks of the step of *Try it* that begins with a number. */
function blocksOf(step: number): readonly string[] {
  const section = readme.split(`\n### ${step}. `)[1]?.split(/\n##+ /)[0] ?? '';
  return [...section.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
}

/** Types a command, and gives what it has printed once that contains the pattern. */
async function type(line: string, cwd: string, pattern: RegExp, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const [command = '', ...args] = line.replace(/^\$ /, '').replace('~/jig/', root).split(' ');
  const child = spawn(command, args, { cwd, env: { PATH, HOME, ...more } });
  running.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  while (!pattern.test(printed)) {
    if (child.exitCode !== null) throw new Error(`${line} ended: ${printed}`);
    await pause(50);
  }
  return pattern.exec(printed)?.[1] ?? '';
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

describe('README.md, typed word by word', () => {
  it('1. npm start says where it listens, and has a list of beans there', async () => {
    const [start = ''] = blocksOf(1);
    const settings = { PORT: '0', JIG_HOME: join(folder, 'home') };
    const url = await type(start, root, /listening on (http:\/\/[\w.:]+) /, settings);
    expect(await (await fetch(`${url}/jig/bean`, { headers: { accept: 'text/html' } })).text()).toContain('sessions');
  });

  it('2. jig run and the page of processes lead to the variables of an application', async () => {
    const [start = '', page = ''] = blocksOf(2);
    await writeFile(
      join(folder, 'app.js'),
      `const prices = new Map([['apple', 3]]);
require('node:http').createServer(({ url }, response) => response.end(String(prices.set(url, 1).size))).listen(0, '127.0.0.1', () => console.log('it runs'));\n`,
    );
    await type(start, folder, /(it runs)/);
    const address = await type(`${page} --port 0`, folder, /(http:\/\/\S+)/);
    const first = await fetch(address, { redirect: 'manual' });
    const headers = { cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '', accept: 'text/html' };
    const read = async (path: string) => (await fetch(new URL(path, address), { headers })).text();
    const row = /app\.js.*?href="([^"]+)"[^>]*>Open beans/s;
    await expect.poll(() => read('/')).toMatch(row);
    const [, link = ''] = row.exec(await read('/')) ?? [];
    await expect.poll(() => read(link.replaceAll('&amp;', '&'))).toContain('app.prices');
  });

  it('3. npm run pack, the line that it prints, and one line in Express', async () => {
    const [pack = '', code = '', commands = ''] = blocksOf(3);
    const [npm = '', ...args] = pack.slice(2).split(' ');
    const { stdout } = await run(npm, args, { cwd: root });
    const install = /^npm (install .*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    await writeFile(join(folder, 'package.json'), '{ "name": "example", "private": true }');
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', [...install, 'express', ...quiet], { cwd: folder });
    const [, file = '', text = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(code) ?? [];
    await writeFile(join(folder, file), text);

    const [start = '', ...requests] = commands.split('\n');
    const port = await freePort();
    const child = spawn('node', start.split(' ').slice(2), { cwd: folder, env: { PATH, HOME, PORT: port } });
    running.push(child);
    expect(requests).toHaveLength(4);
    for (const index of [0, 2]) {
      const url = /^\$ curl (\S+)$/.exec(requests[index] ?? '')?.[1]?.replace('3000', port) ?? '';
      const ask = () => fetch(url).then((response) => response.text());
      await expect.poll(() => ask().catch(() => '')).toBe(requests[index + 1]);
    }
    const { stdout: listed } = await run(join(folder, 'node_modules/.bin/jig'), ['list'], { cwd: folder });
    expect(listed).toContain(String(child.pid));
  });
});
