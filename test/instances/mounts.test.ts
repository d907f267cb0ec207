import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testedBeans } from '../frameworks/conformance/beans.ts';
import type { Mount } from '../frameworks/conformance/mount.ts';
import { mounts } from '../frameworks/mounts/all.ts';
import { runtimeFolder, startApplication } from './start-application.ts';

const token = 'a-token-of-all-of-them';
const headers = { authorization: `Bearer ${token}` };

/** Whether it is told when the application closes. */
const isTold = ({ name, isHost }: Mount) => isHost === true || /^in (?:Fastify|Nest)/.test(name);

it.each(mounts)('$name, a document, a page, a stream and HEAD are forwarded to another process', async (mount) => {
  const runtime = runtimeFolder();
  vi.stubEnv('XDG_RUNTIME_DIR', runtime);
  const { url, stop } = await mount.start(testedBeans(), { announce: true, token, deny: ['secret'] });
  const [file = ''] = readdirSync(join(runtime, 'jig')).filter((name) => name.endsWith('.json'));
  try {
    const { application, script } = JSON.parse(readFileSync(join(runtime, 'jig', file), 'utf8'));
    const environment = { BEAN_TOKEN: token, APPLICATION: application, SCRIPT: script };
    await using _other = await startApplication('cluster', { runtime, arguments: ['1'], environment });
    const get = (
      path: string,
      { headers: more, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
    ) => fetch(url + path, { ...init, headers: { ...headers, ...more } });
    const listed = (await (await get('/jig/instances.json')).json()) as { id: string; pid: number }[];
    expect(listed).toHaveLength(2);
    const { id = '', pid } = listed.find((each) => each.pid !== process.pid) ?? {};
    const expected = async (answer: Response, status = 200) => {
      expect([answer.status, answer.headers.get('jig-instance')]).toEqual([status, id]);
      return answer.text();
    };
    expect(await expected(await get(`/jig/bean/who.json?instance=${id}&at=/pid`))).toBe(String(pid));
    const big = JSON.parse(await expected(await get(`/jig/bean/big.json?instance=${id}`)));
    expect(big.texts).toHaveLength(20_000);
    const page = await expected(await get(`/jig/bean/who.html?instance=${id}`, { headers: { accept: 'text/html' } }));
    expect(page).toContain(`/jig/@${id}/graph`);
    const [, style = ''] = /href="([^"]*\.css[^"]*)"/.exec(page) ?? [];
    expect(await expected(await get(style))).toContain('.bar');
    expect(await expected(await get(`/jig/bean/who.html?instance=${id}`, { method: 'HEAD' }))).toBe('');
    const missing = await get(`/jig/bean/none.json?instance=${id}`);
    expect(JSON.parse(await expected(missing, 404)).title).toBe('Resource not found');
    const leaving = new AbortController();
    const accept = 'text/event-stream';
    const stream = await get(`/jig/bean/who.json?instance=${id}`, { headers: { accept }, signal: leaving.signal });
    expect([stream.headers.get('content-type'), stream.headers.get('jig-instance')]).toEqual([accept, id]);
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('data: ')) break;
    }
    expect(text).toContain(`"pid":${pid}`);
    expect((await get('/jig/bean?instance=x')).headers.get('jig-instance')).not.toBe(id);
    leaving.abort();
    // One that is still open does not keep the application from closing.
    await get(`/jig/bean/who.json?instance=${id}`, { headers: { accept } });
  } finally {
    await stop();
    vi.unstubAllEnvs();
  }
  if (isTold(mount)) expect(readdirSync(join(runtime, 'jig'))).not.toContain(file);
  await rm(runtime, { recursive: true });
});
