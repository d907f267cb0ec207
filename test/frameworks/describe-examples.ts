import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';

const children: ChildProcess[] = [];

async function endAll(): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

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

/** Each row: what it is, and what makes the module that starts it. */
export function describeExamples(rows: readonly (readonly [string, () => Promise<string>])[]): void {
  // For each file that describes examples: this module is loaded once for all of them.
  afterAll(endAll);
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
}
