import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { withoutDatabase } from '../support/start-service.ts';

/** Every way in which a handler can go wrong, each with something that nobody outside should read. */
const failures: Readonly<Record<string, string>> = {
  error: "throw new Error('zzinside at /srv/zzinside/main.js:1:2')",
  string: "throw 'zzinside'",
  nothing: 'throw undefined',
  null: 'throw null',
  object: "throw { message: 'zzinside', status: 500, headers: { 'x-reason': 'none' } }",
  exposed: "throw Object.assign(new Error('zzinside'), { statusCode: 500, expose: true })",
  success: "throw Object.assign(new Error('zzinside'), { statusCode: 200 })",
  validation: "throw Object.assign(new Error('zzinside'), { validation: [{ message: 'zzinside' }] })",
  cause: "throw new Error('outer', { cause: new Error('zzinside') })",
  aggregate: "throw new AggregateError([new Error('zzinside')], 'zzinside')",
  system: "process.getBuiltinModule('node:fs').readFileSync('/zzinside/none')",
  type: 'null.zzinside',
};

/** Writes to an answer that has ended. */
const late = `server.get('/late', (request, reply) => {
  const { raw } = reply.hijack();
  raw.end('in time');
  raw.write('too late');
});`;

const routes = Object.entries(failures).map(([name, code]) => `server.get('/${name}', async () => { ${code}; });`);
const features = `[{ name: 'failing', register(host) {
  host.routes(async (server) => { ${late} ${routes.join('\n')} });
} }]`;

let application: MadeApplication;
let service: InProcessService;

beforeAll(async () => {
  application = await makeApplication({ features });
  service = await startInProcess({
    main: application.main,
    workingDirectory: application.folder,
    environment: withoutDatabase,
  });
});

afterAll(async () => {
  await service.stop();
  await application.remove();
});

const inside =
  /zzinside|node_modules|\.[cm]?[jt]s\b|\bat .*:\d|\/(?:home|tmp|srv|root|usr|work)\/|fastify|FST_|JIG_\w|TypeError|ENOENT/i;

describe('a handler that fails', () => {
  it.each(Object.keys(failures))('answers without details of the error: %s', async (name) => {
    for (const accept of ['*/*', 'text/html']) {
      const answer = await request(service.url, `GET /${name}`, { accept });
      expect([name, answer.status]).toEqual([name, 500]);
      expect(answer.raw.replace(/^(?:date|content-security-policy): .*$/gim, '')).not.toMatch(inside);
      expect(answer.body).toContain('Something went wrong on our side; it has been logged.');
    }
  });

  it('has its error in the log', async () => {
    await request(service.url, 'GET /error');
    await service.printed(/zzinside/);
  });

  it('does not affect later requests', async () => {
    expect(await (await fetch(`${service.url}/late`)).text()).toBe('in time');
    expect((await fetch(service.url)).status).toBe(200);
  });
});
