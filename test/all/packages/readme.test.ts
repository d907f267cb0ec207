import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly command: string;
  /** What it prints, as the document shows it; `…` stands for anything. */
  readonly answer: string;
}

/** The commands of a document with what they print: blocks marked `console`, each command after a `$`. */
function stepsOf(document: string): readonly Step[] {
  const blocks = [...document.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...answer] = step.split('\n');
        return { command, answer: answer.join('\n').trim() };
      }),
  );
}

const patternOf = (answer: string) =>
  new RegExp(
    `^${answer
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('[\\s\\S]*?')}$`,
  );

let home: string;
let npm: ReturnType<typeof spawn>;
let address = '';
let printed = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jig-readme-'));
  const env = { ...process.env, PORT: '0', JIG_HOME: join(home, 'home'), NODE_ENV: 'development' };
  npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  npm.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    address ||= /listening on (http:\/\/[\w.:]+) /.exec(printed)?.[1] ?? '';
  });
  for (const deadline = Date.now() + 50_000; address === '' && Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

afterAll(async () => {
  npm.kill('SIGTERM');
  await once(npm, 'close');
  await rm(home, { recursive: true, force: true });
});

describe('npm start, as the README says', () => {
  it('prints the address it listens on', () => expect(address, printed).not.toBe(''));
});

describe('README.md', () => {
  const steps = stepsOf(read('README.md'));
  const requests = steps.filter(({ command }) => command.startsWith('curl '));
  const others = steps.filter(({ command }) => !command.startsWith('curl '));

  it('shows the real responses to its requests, sent one after the other', () => {
    expect(requests.length).toBeGreaterThan(3);
    for (const { command, answer } of requests) {
      const typed = command.replaceAll('http://127.0.0.1:8080', address);
      const { stdout, stderr, status } = spawnSync('sh', ['-c', typed], { encoding: 'utf8', cwd: home });
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
      expect(stdout.trim().replaceAll(address, 'http://127.0.0.1:8080'), command).toMatch(patternOf(answer));
    }
  });

  it.each(others)('shows an existing command: $command', ({ command }) => {
    const { scripts } = JSON.parse(read('package.json'));
    const script = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)(?: -- .*)?$/.exec(command)?.[1];
    expect(Object.keys(scripts)).toContain(script);
  });
});
