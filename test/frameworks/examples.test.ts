import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
async function withOlder(example: string, name: 'express-4' | 'nest-11'): Promise<string> {
  const folder = await folderWithOlder(name);
  folders.push(folder);
  for (const part of ['dist', 'package.json'])
    await cp(join(root, 'examples', example, part), join(folder, part), { recursive: true });
  return join(folder, 'dist/main.js');
}

describe.concurrent('an example', () => {
  it.each([
    ['examples/express', 'orders', async () => built('express')],
    ['examples/express with Express 4', 'orders', () => withOlder('express', 'express-4')],
    ['examples/fastify', 'orders', async () => built('fastify')],
    ['examples/koa', 'orders', async () => built('koa')],
    ['examples/hono', 'orders', async () => built('hono')],
    ['examples/nest', 'Orders', async () => built('nest')],
    ['examples/nest-commonjs', 'Orders', async () => built('nest-commonjs')],
    ['examples/nest-commonjs with Nest 11', 'Orders', () => withOlder('nest-commonjs', 'nest-11')],
  ])('%s takes an order and shows it in the bean %s, with secrets masked', async (_what, orders, main) => {
    const { url, output } = await start(await main());
    const headers = { 'content-type': 'application/json' };
    const order = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"net":100,"country":"lu"}' });
    const placed = { id: 1, country: 'lu', total: 117 };
    expect([order.status, await order.json()]).toEqual([201, placed]);
    const refused = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"net":100,"country":"xx"}' });
    expect(refused.status).toBe(400);

    expect(await (await fetch(`${url}/jig/bean/${orders}.json?at=/list`)).json()).toEqual([placed]);
    const { beans } = await (await fetch(`${url}/jig/bean.json`)).json();
    const mailer = beans.find(({ name }: { name: string }) => name.toLowerCase() === 'mailer');
    expect(await (await fetch(url + mailer.links.xml)).text()).toContain('<password>******</password>');

    const lines = output().match(/the beans are at http:\/\/localhost:\d+\/jig\/bean/g);
    expect(lines).toEqual([`the beans are at http://localhost:${new URL(url).port}/jig/bean`]);
  });
});
