import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Framework, frameworks } from './frameworks.ts';
import { folderWithOlder, root } from './older-versions.ts';

const children: ChildProcess[] = [];
const folders: string[] = [];

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Starts an example and gives its address, and what it has written so far. */
async function start(main: string): Promise<{ url: string; output: () => string }> {
  const { NODE_ENV: _test, ...environment } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: { ...environment, PORT: '0', NO_COLOR: '1' },
  });
  children.push(child);
  let output = '';
  const note = (text: Buffer) => {
    output += text;
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  for (;;) {
    const [, port] = /listening (?:on|at) .*?(?:port: |:)(\d+)\b/is.exec(output) ?? [];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, output: () => output };
    if (child.exitCode !== null) throw new Error(output);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const built = (example: string) => join(root, 'examples', example, 'dist/main.js');

/** The built example with the older version of its framework. */
async function withOlder(example: string, name: NonNullable<Framework['older']>): Promise<string> {
  const folder = await folderWithOlder(name);
  folders.push(folder);
  for (const part of ['dist', 'package.json'])
    await cp(join(root, 'examples', example, part), join(folder, part), { recursive: true });
  return join(folder, 'dist/main.js');
}

const rows = frameworks.flatMap(({ examples = [], older }) => [
  ...examples.map((example) => [`examples/${example}`, async () => built(example)] as const),
  ...(older === undefined
    ? []
    : examples
        .slice(-1)
        .map((example) => [`examples/${example} with ${older}`, () => withOlder(example, older)] as const)),
]);

describe.concurrent('an example', () => {
  it.each(rows)('%s takes an order and shows it in the bean orders, with secrets masked', async (_what, main) => {
    const { url, output } = await start(await main());
    const headers = { 'content-type': 'application/json' };
    const order = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"net":100,"country":"lu"}' });
    const placed = { id: 1, country: 'lu', total: 117 };
    expect([order.status, await order.json()]).toEqual([201, placed]);
    const refused = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"net":100,"country":"xx"}' });
    expect(refused.status).toBe(400);

    const { beans } = await (await fetch(`${url}/jig/bean.json`)).json();
    const named = (bean: string) => beans.find(({ name }: { name: string }) => name.toLowerCase() === bean);
    expect(await (await fetch(`${url}${named('orders').links.json}?at=/list`)).json()).toEqual([placed]);
    expect(await (await fetch(url + named('mailer').links.xml)).text()).toContain('<password>******</password>');

    const lines = output().match(/the beans are at http:\/\/localhost:\d+\/jig\/bean/g);
    expect(lines).toEqual([`the beans are at http://localhost:${new URL(url).port}/jig/bean`]);
  });
});
