import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jig, Programs, type StartedProgram } from './console-on-this-machine.ts';

let programs: Programs;
let shop: StartedProgram;

beforeAll(async () => {
  programs = await Programs.create();
  shop = await programs.start('express-app.mjs');
});
afterAll(() => programs[Symbol.asyncDispose]());

it('an application names jig at its first request, if the console is installed', async () => {
  await fetch(shop.line);
  await expect
    .poll(() => shop.output())
    .toContain(
      [
        `bean inspection: the beans are at ${shop.line.replace('127.0.0.1', 'localhost')}/jig/bean; npx jig shows all applications`,
        'bean inspection for coding agents, as .mcp.json: {"mcpServers":{"jig":{"command":"npx","args":["jig","mcp"]}}}',
      ].join('\n'),
    );
});

const terminal = '/usr/bin/script';

it.runIf(existsSync(terminal))('jig run says in one line on a terminal where to look, unless it is quiet', async () => {
  const onTerminal = async (...flags: readonly string[]) => {
    const command = [process.execPath, jig, 'run', ...flags, '-e', 'console.log("ran")']
      .map((each) => `'${each}'`)
      .join(' ');
    const { stdout } = await promisify(execFile)(terminal, ['-qec', command, '/dev/null'], {
      env: programs.environment,
    });
    return stdout.replace(/process \d+/, 'process 1').split('\r\n');
  };
  const line = 'jig: to look into process 1, run in another terminal: npx jig';
  expect(await onTerminal()).toEqual([line, 'ran', '']);
  expect(await onTerminal('--quiet')).toEqual(['ran', '']);
});

describe('jig list', () => {
  it('shows the address and the command of an application', async () => {
    const { code, stdout } = await programs.run('list');
    expect(code).toBe(0);
    const [, group = ''] = stdout.split('Jig is in it\n');
    expect(group).toMatch(new RegExp(`^ {2}shop {2}pid ${shop.pid} {2}Node \\d.* MB .*${shop.line.slice(7)}$`, 'm'));
    expect(group).toMatch(/^ {4}node .*express-app\.mjs$/m);
  });

  it('--json --beans names the beans of each instance', async () => {
    const { stdout } = await programs.run('list', '--json', '--beans');
    const found = (JSON.parse(stdout) as { pid: number; instances: object[] }[]).find(({ pid }) => pid === shop.pid);
    expect(found).toMatchObject({
      name: 'shop',
      node: process.versions.node,
      addresses: [shop.line.slice('http://'.length)],
      instances: [{ application: 'shop', beans: expect.arrayContaining(['basket', 'prices']) }],
    });
  });
});

describe('jig', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../packages/console/package.json', import.meta.url), 'utf8'));

  it('--version prints the version, and --help the commands', async () => {
    expect(await programs.run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const { code, stdout } = await programs.run('--help');
    expect(code).toBe(0);
    for (const command of ['page', 'list', 'mcp']) expect(stdout).toContain(`jig ${command} `);
    expect(await programs.run('list', '--help')).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    [['wat'], 'There is no command "wat".'],
    [['constructor'], 'There is no command "constructor".'],
    [['--wat'], "Unknown option '--wat'."],
    [['list', 'all'], "Unexpected argument 'all'."],
    [['--port', '70000'], '--port takes a number up to 65535, not "70000".'],
    [['--port', '-1'], "Option '--port' argument is ambiguous."],
    [['--port', 'http'], '--port takes a number up to 65535, not "http".'],
  ])('%j is rejected with exit code 2', async (args, sentence) => {
    const { code, stdout, stderr } = await programs.run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`jig: ${sentence}`);
    expect(stderr).toMatch(/jig --help lists what there is\.\n$/);
  });

  it('reports a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await programs.run('--port', String(port));
    taken.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `jig: Port ${port} is in use. Name another one by --port, or none.\n`,
    });
  });
});
