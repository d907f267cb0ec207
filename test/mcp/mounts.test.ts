import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedBeans } from '../frameworks/conformance/beans.ts';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { mounts } from '../frameworks/mounts/all.ts';
import { checkClient } from './check-client.ts';
import { clients } from './clients.ts';

describe.each(mounts)('the endpoint for agents $name', ({ start, readsBodies }) => {
  let running: RunningMount;
  let url: string;
  const beans = testedBeans();

  beforeAll(async () => {
    running = await start(beans, { deny: ['closed'] });
    url = `${running.url}/jig/mcp`;
  });
  afterAll(() => running.stop());

  it.each(Object.entries(clients))('lists, reads and finds beans for the client %s', async (_client, connect) => {
    await checkClient(await connect(url));
    expect(beans.created).toEqual([]);
  });

  const statusOf = async (body: string, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(url, { method: 'POST', headers: all, body });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('rejects a page of another site, GET, and a body that is too large or of another type', async () => {
    expect(await statusOf('{}', { origin: 'http://evil.example' })).toBe(403);
    expect((await fetch(url)).status).toBe(405);
    expect(await statusOf(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(70_000)}"}}`)).toBe(413);
    expect(await statusOf('{}', { 'content-type': 'text/plain' })).toBe(415);
  });

  // A body parser that stands before it has read the body.
  if (readsBodies === true) return;

  it('rejects a client without access before the body is read', async () => {
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
