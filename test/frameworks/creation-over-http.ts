import { createServer } from 'node:http';
import type { BeanSource } from '@jig/bean-inspection';
import { beanInspection } from '@jig/bean-inspection';
import { expect } from 'vitest';
import { listen } from './mounts/listen.ts';

export interface CreationUnderTest {
  /** Of a container. */
  readonly source: BeanSource;
  /** How many beans of the fixture were created so far. */
  readonly created: () => number;
  /** Beans that stay once they are created. */
  readonly kept?: readonly string[];
  /** Beans that are created anew for each request or use. */
  readonly perUse: readonly string[];
}

/** Looks at all beans of a container in every way, which creates none, and then asks for some of them. */
export async function checkCreation({ source, created, kept = [], perUse }: CreationUnderTest): Promise<void> {
  const handler = beanInspection(source);
  const server = await listen(createServer((request, response) => void handler(request, response)));
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}/jig/${path}`, { redirect: 'manual', ...init });
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    const body = isStream ? await answer.body?.cancel() : await answer.text();
    return { status: answer.status, location: answer.headers.get('location'), body: String(body) };
  };
  const post = (name: string, accept: string) =>
    ask(`bean/${encodeURIComponent(name)}`, { method: 'POST', headers: { accept } });
  try {
    const before = created();
    for (const { name, instantiated } of source.describe()) {
      const file = encodeURIComponent(name);
      const looks = await Promise.all([
        ...[`bean/${file}.json`, `bean/${file}.xml`, `bean/${file}.html`].map((path) => ask(path)),
        ask(`bean/${file}.json`, { method: 'HEAD' }),
        ask(`bean/${file}.json?create`, {}),
        ...['json', 'html'].map((form) => ask(`bean/${file}.${form}`, { headers: { accept: 'text/event-stream' } })),
      ]);
      const expected = instantiated === true ? 200 : 409;
      expect([name, ...new Set(looks.map(({ status }) => status))]).toEqual([name, expected]);
      const call = { name: 'read_bean', arguments: { name } };
      const read = await ask('mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      });
      if (expected === 409) expect(read.body).toContain('POST /jig/bean/{name}');
    }
    for (const path of ['bean', 'bean?find=e', 'graph', 'graph.dot', 'compare'])
      expect((await ask(path)).status).toBe(200);
    expect((await ask('compare', { method: 'POST' })).status).toBe(201);
    expect(created()).toBe(before);

    for (const name of perUse) {
      const refused = await ask(`bean/${name}.json`);
      expect(refused.body).toContain('POST /jig/bean/{name} creates it');
      const made = created();
      const answers = [await post(name, 'application/json'), await post(name, 'text/html')];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(created()).toBeGreaterThanOrEqual(made + 2);
      expect((await ask(`bean/${name}.json`)).status).toBe(409);
    }
    for (const name of kept) {
      const page = `bean/${encodeURIComponent(name)}.html`;
      expect(await post(name, 'text/html')).toMatchObject({ status: 303, location: `/jig/${page}` });
      const made = created();
      expect((await ask(page)).status).toBe(200);
      expect((await post(name, 'application/json')).status).toBe(200);
      expect(created()).toBe(made);
    }
  } finally {
    await server.stop();
  }
}
