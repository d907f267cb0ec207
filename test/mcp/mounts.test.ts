import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { frameworks } from '../frameworks/frameworks.ts';
import { agentBeans, agentOptions } from './agent-beans.ts';
import { checkClient } from './check-client.ts';
import { clients } from './clients.ts';
import { modern, sendOdd } from './odd-requests.ts';

const rows = frameworks.flatMap(({ mounts, readsBodies }) =>
  mounts.map((mount) => [mount.name, { start: mount.start, readsBodies }] as const),
);

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
    await checkClient(await connect(url));
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
