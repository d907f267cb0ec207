import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../support/in-process.ts';
import { makeApplication } from '../support/make-application.ts';
import { withoutDatabase } from '../support/start-service.ts';

const features = `[{
  name: 'careless',
  register(host) {
    host.secret('generated-secret-value');
    host.log.info({ url: 'postgres://me:generated-secret-value@host' }, 'the secret is generated-secret-value');
    host.secret('4711081547');
    host.log.info({ id: 4711081547 }, 'a number');
    host.routes(async (server) => {
      server.get('/log', async (request, reply) => {
        server.log.info('said by the server');
        request.log.info({ req: request, res: reply }, 'said by the request');
        return reply.code(204).send();
      });
      server.get('/fail', () => { throw new Error('could not log in with generated-secret-value'); });
    });
  },
}]`;

describe('the log', () => {
  it('is JSON lines without secrets, and a failed request tells the client no details', async () => {
    const { main: module, folder, remove } = await makeApplication({ features });
    const service = await startInProcess({
      main: module,
      workingDirectory: folder,
      environment: { JIG_SESSIONS_SECRET: 'x'.repeat(40) },
    });
    const answer = await fetch(`${service.url}/fail`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toMatch(/secret|log in/);
    await fetch(`${service.url}/log?asked`, { headers: { cookie: 'a=zzsecret', authorization: 'Bearer zzsecret' } });
    await service.stop();
    expect(service.output()).toContain('said by the server');
    expect(service.output()).toMatch(/"method":"GET","url":"\/log\?asked".*"statusCode":\d+.*"said by the request"/);
    expect(service.output()).not.toContain('zzsecret');
    expect(service.output()).toContain('the secret is ******');
    expect(service.output()).toContain('could not log in with ******');
    expect(service.output()).not.toMatch(/generated-secret-value|x{40}|4711081547/);
    expect(service.output()).toContain('\\"id\\":******');
    for (const line of service.output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    await remove();
  });

  it('on a terminal is one line per message, without the field facts', async () => {
    const facts = `[{ name: 'f', register: (host) => host.log.info({ facts: { a: 'b' } }, 'it came about') }]`;
    const { main: module, folder, remove } = await makeApplication({ features: facts });
    const lines: string[] = [];
    for (const format of ['pretty', 'json']) {
      const service = await startInProcess({
        main: module,
        workingDirectory: folder,
        flags: [`--log.format=${format}`],
      });
      await service.stop();
      lines.push(...service.output().trim().split('\n'));
      expect(service.output().includes('"facts":{"a":"b"}')).toBe(format === 'json');
    }
    for (const line of lines) expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: \S|^\{.*\}$/);
    await remove();
  });

  it('cannot be forged by what a client sends', async () => {
    const service = await startInProcess({ flags: ['--log.level=trace'], environment: withoutDatabase });
    const forged = `${service.url}/${encodeURIComponent('x\n{"level":30,"msg":"forged"}')}`;
    await fetch(forged, { headers: { 'user-agent': 'a"b\\' } });
    await service.stop();
    for (const line of service.output().trim().split('\n')) expect(JSON.parse(line).msg).not.toBe('forged');
  });

  it('contains no failure when a client disconnects during its request', async () => {
    const form = `[{ name: 'form', register(host) { host.routes(async (server) => {
      server.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
      server.post('/form', async () => 'read');
      server.addHook('onRequest', async (request) => {
        host.log.info('begun');
        request.raw.on('close', () => host.log.info('gone'));
      });
    }) } }]`;
    const { main: module, folder, remove } = await makeApplication({ features: form });
    const service = await startInProcess({ main: module, workingDirectory: folder });
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf');
    await service.printed(/begun/);
    socket.destroy();
    await service.printed(/gone/);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    await service.stop();
    for (const line of service.output().trim().split('\n')) expect(JSON.parse(line).level ?? 0).toBeLessThan(50);
    await remove();
  });
});
