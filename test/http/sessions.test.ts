import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';

const features = `[{ name: 'form', register(host) {
  const store = {
    isDown: false,
    ask: async () => { if (store.isDown) throw new Error('no connection to 10.0.0.1'); },
    read: async () => store.ask(),
    merge: async () => { await store.ask(); return 'stored'; },
    touch: async () => {}, destroy: async () => {}, count: async () => 0,
  };
  host.define('flakyStore', { type: 'FlakyStore', create: () => store });
  host.sessionStore({ name: 'flaky', priority: -1, bean: 'flakyStore' });
  host.routes(async (server) => {
    const type = 'application/x-www-form-urlencoded';
    server.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) =>
      done(null, new Map(new URLSearchParams(body))));
    server.post('/form', async ({ session, body }, reply) => {
      await session.set(body);
      return reply.redirect('/form');
    });
    server.get('/form', async ({ session }) => [...(await session.entries())]);
    server.get('/break', async () => { store.isDown = true; return 'broken'; });
    server.get('/sessions', async (request) => {
      const { store, live, counters } = await host.beans.get('sessions', request);
      return { store, live, counters };
    });
  });
} }]`;

let application: MadeApplication;
const services: InProcessService[] = [];

beforeAll(async () => {
  application = await makeApplication({ features, dependencies: ['@jig/bean-inspection'] });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await application.remove();
});

async function start(environment: NodeJS.ProcessEnv): Promise<InProcessService> {
  const service = await startInProcess({ main: application.main, workingDirectory: application.folder, environment });
  services.push(service);
  return service;
}

async function post(service: InProcessService, form: Record<string, string>) {
  const answer = await fetch(`${service.url}/form`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

describe('sessions of an application', () => {
  it('give a 503 without details and one line in the log when the store is down', async () => {
    const service = await start({ JIG_SESSIONS_STORE: 'flaky' });
    const { cookie } = await post(service, { a: '1' });
    await fetch(`${service.url}/break`);
    for (let count = 0; count < 10; count += 1) {
      const answer = await fetch(`${service.url}/form`, { headers: { cookie } });
      expect(answer.status).toBe(503);
      expect(await answer.text()).not.toContain('10.0.0.1');
    }
    expect((await fetch(`${service.url}/health`)).status).toBe(503);
    const sentence = 'Sessions can be neither read nor stored right now; please try again shortly.';
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? new URLSearchParams({ a: '2' }) : null;
      const answer = await fetch(`${service.url}/form`, { method, body, headers: { cookie } });
      expect([method, answer.status, await answer.json()]).toMatchObject([method, 503, { detail: sentence }]);
    }
    const asXml = await fetch(`${service.url}/jig/bean/session.xml`, { headers: { cookie } });
    expect([asXml.status, asXml.headers.get('content-type')]).toEqual([503, 'application/problem+xml']);
    expect(await asXml.text()).toContain(sentence);
    const serious = service
      .output()
      .split('\n')
      .filter((line) => line !== '' && JSON.parse(line).level > 30);
    expect(serious).toEqual([expect.stringContaining('the session store does not answer')]);
  });
});
