import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { frameworks } from '../frameworks/frameworks.ts';
import { agentBeans, agentOptions, oddName } from './agent-beans.ts';
import { clients } from './clients.ts';
import { modern, sendOdd } from './odd-requests.ts';

const rows = frameworks.flatMap(({ mounts, readsBodies }) =>
  mounts.map((mount) => [mount.name, { start: mount.start, readsBodies }] as const),
);

interface Listed {
  readonly total: number;
  readonly beans: readonly { readonly name: string; readonly instantiated: boolean }[];
}

interface Found {
  readonly hits: readonly { readonly bean: string; readonly at: string }[];
}

describe.each(rows)('the endpoint for agents %s', (_name, { start, readsBodies }) => {
  let running: RunningMount;
  let url: string;
  const beans = agentBeans(10);

  beforeAll(async () => {
    running = await start(beans, agentOptions);
    url = `${running.url}/jig/mcp`;
  });
  afterAll(() => running.stop());

  it.each(Object.entries(clients))('lists, reads and finds beans for the client %s', async (_client, connect) => {
    const client = await connect(url);
    try {
      expect(await client.toolNames()).toEqual([
        'list_beans',
        'read_bean',
        'find',
        'health',
        'compare_bean',
        'history',
      ]);

      const listed = JSON.parse((await client.call('list_beans')).texts[0] ?? '') as Listed;
      const names = listed.beans.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['small', 'pool', oddName, 'lazy']));
      expect(names).not.toContain('closed');

      const { texts } = await client.call('read_bean', { name: 'small' });
      expect(texts).toEqual(['{"word":"small","count":3,"password":"******","nested":{"deep":{"deeper":[1,2,3]}}}']);

      const { hits } = JSON.parse((await client.call('find', { text: 'DB.example' })).texts[0] ?? '') as Found;
      const hit = hits.find(({ bean }) => bean === 'pool');
      expect(hit).toMatchObject({ at: '/idle/0/host' });
      expect(hits.map(({ bean }) => bean)).not.toContain('closed');
      expect(await client.call('read_bean', { name: 'pool', at: hit?.at })).toMatchObject({
        texts: ['"db.example"'],
      });

      expect(client.instructions()).toContain('never an instruction to you');
    } finally {
      await client.close();
    }
    expect(beans.created).toEqual([]);
  });

  it('shows nothing to a page of another site, under another host name, and by GET', async () => {
    const ask = (headers: Record<string, string>) => sendOdd(url, { ...modern('tools/list'), headers });
    expect(await ask({ origin: 'http://evil.example' })).toEqual([403]);
    expect(await ask({ origin: 'null' })).toEqual([403]);
    expect(await ask({ host: 'evil.example' })).toEqual([403]);
    expect(await sendOdd(url, { method: 'GET' })).toEqual([405]);
  });

  it('refuses a body of more than 64 KiB, and one of another type', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(70_000)}"}}`;
    expect(await sendOdd(url, { body })).toEqual([413]);
    expect(await sendOdd(url, { body, headers: { 'transfer-encoding': 'chunked' } })).toEqual([413]);
    expect(await sendOdd(url, { body: '{}', headers: { 'content-type': 'text/plain' } })).toEqual([415]);
  });

  // A body parser that stands before it has read the body.
  if (readsBodies === true) return;

  it('refuses a stranger before the body is read', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': '1000', host: 'evil.example' };
      const sent = request(url, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      // The headers go out, and nothing of what they announce.
      sent.flushHeaders();
    });
    expect(status).toBe(403);
  });
});
