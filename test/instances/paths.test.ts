import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runtimeFolder, startApplication } from './start-application.ts';

const token = 'a-token-of-one-of-them';
const start = (runtime: string, options: object) =>
  startApplication('single', { runtime, arguments: [JSON.stringify(options)] });

async function statusOf(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  await answer.text();
  return answer.status;
}

const instanceIds = async (url: string, headers: Record<string, string> = {}) =>
  ((await (await fetch(`${url}/jig/instances.json`, { headers })).json()) as { id: string }[])
    .map(({ id }) => id)
    .sort();

it.each([
  ['token', { token }],
  ['deny', { deny: ['who'] }],
  ['allow', { allow: ['process'] }],
])('instances with another %s do not see each other at any address', async (_option, rules) => {
  const runtime = runtimeFolder();
  await using open = await start(runtime, { instance: 'open' });
  await using closed = await start(runtime, { instance: 'closed', ...rules });
  await using same = await start(runtime, { instance: 'same', ...rules });
  const bearer = { authorization: `Bearer ${token}` };
  expect(await instanceIds(open.url)).toEqual(['open']);
  expect(await instanceIds(closed.url, bearer)).toEqual(['closed', 'same']);
  for (const [url, other] of [
    [open.url, 'closed'],
    [closed.url, 'open'],
    [same.url, 'open'],
  ] as const) {
    for (const path of [
      'bean.json',
      'bean.json?find=pid',
      'bean/who.json',
      'bean/who.html',
      'graph.dot',
      'metrics',
      'watch.json',
      'compare.json',
    ])
      expect([path, await statusOf(`${url}/jig/@${other}/${path}`, bearer)]).toEqual([path, 404]);
    for (const [path, body] of [
      ['watch', 'bean=who&at=/pid'],
      ['compare', 'wait=0'],
      ['bean/who', ''],
    ] as const) {
      const answer = await fetch(`${url}/jig/@${other}/${path}`, { method: 'POST', body, headers: bearer });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_bean', arguments: { name: 'who' } },
    };
    const headers = { ...bearer, 'content-type': 'application/json' };
    const agent = await fetch(`${url}/jig/@${other}/mcp`, { method: 'POST', body: JSON.stringify(call), headers });
    expect(agent.status).toBe(404);
  }
  const all = await (await fetch(`${open.url}/jig/@all/bean/who.json`)).json();
  expect(all).toEqual({ open: { pid: open.process.pid } });
  await rm(runtime, { recursive: true });
});

const jig = fileURLToPath(new URL('../../packages/console/bin/jig.js', import.meta.url));

it('a process under jig run is not an instance, even with the same script and name', async () => {
  const runtime = runtimeFolder();
  await using one = await start(runtime, { instance: 'one' });
  // With a mount of its own, which comes beside what jig run shows.
  const under = [process.execPath, jig, 'run'];
  const environment = { npm_package_name: 'shop' };
  const options = { runtime, under, environment, arguments: ['{"instance":"two"}'] };
  await using two = await startApplication('single', options);
  const announced = () => readdirSync(join(runtime, 'jig')).filter((name) => name.endsWith('.json'));
  await expect.poll(() => announced().length).toBe(3);
  expect(await instanceIds(one.url)).toEqual(['one', 'two']);
  expect(await instanceIds(two.url)).toEqual(['one', 'two']);
  for (const name of announced()) {
    const { id, pid, attached } = JSON.parse(readFileSync(join(runtime, 'jig', name), 'utf8'));
    expect([id, await statusOf(`${one.url}/jig/@${id}/bean.json`)]).toEqual([id, attached === true ? 404 : 200]);
    // What jig run has started would outlive it.
    if (attached === true) process.kill(pid, 'SIGKILL');
  }
  await rm(runtime, { recursive: true, force: true });
});
