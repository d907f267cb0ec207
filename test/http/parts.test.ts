import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';

/** A feature that uses what the host offers, with the host's default settings. */
const features = `[{
  name: 'parts',
  register(host) {
    host.routes(async (server) => {
      server.get('/log', async (request, reply) => {
        server.log.info('said by the server');
        request.log.info('said by the request');
        request.log.info({ req: request, res: reply }, 'all of it');
        return reply.code(204).send();
      });
      server.post('/orders', async (request) => ({ ordered: request.body.what }));
      server.post('/visitors', async (request) => ({ hello: request.body.name }));
    });
  },
}]`;

let application: MadeApplication;
let service: InProcessService;

beforeAll(async () => {
  application = await makeApplication({ features });
  service = await startInProcess({ main: application.main, workingDirectory: application.folder });
});

afterAll(async () => {
  await service.stop();
  await application.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

describe('the log', () => {
  it('contains lines of server.log and request.log, without cookies or passwords of a request', async () => {
    await get('/log?asked', { cookie: 'a=zzsecret', authorization: 'Bearer zzsecret' });
    for (const by of ['server', 'request']) await service.printed(new RegExp(`said by the ${by}`));
    await service.printed(/"method":"GET","url":"\/log\?asked".*"statusCode":\d+.*"all of it"/);
    expect(service.output()).not.toContain('zzsecret');
  });
});

describe('a body', () => {
  const post = (path: string, type: string, body: string) =>
    fetch(service.url + path, { method: 'POST', headers: { 'content-type': type }, body });

  it('of JSON, of a form or of plain text is parsed', async () => {
    expect(await (await post('/orders', 'application/json', '{"what":"tea"}')).json()).toEqual({ ordered: 'tea' });
    const form = await post('/visitors', 'application/x-www-form-urlencoded', 'name=Ada+L');
    expect(await form.json()).toEqual({ hello: 'Ada L' });
    expect((await post('/orders', 'text/plain', 'tea')).status).toBe(200);
  });

  it.each([
    ['application/json', '{', 400],
    ['application/json', '{"__proto__":{}}', 400],
    ['image/png', 'tea', 415],
    ['application/json', JSON.stringify({ what: 'a'.repeat(2 ** 20) }), 413],
  ])('of %s that cannot be used is a problem (%#)', async (type, body, status) => {
    const answer = await post('/orders', type, body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});
