import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { type InProcessOptions, startInProcess } from '../support/in-process.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { makeNotes, Visitor } from './database-notes.ts';
import { MeasuredLoad } from './measured-load.ts';

const secret = 'a-secret-that-signs-cookies-for-all-instances';

describe('sessions on Redis under faults', () => {
  let application: MadeApplication;
  const running: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = [];
  const servers: RedisServer[] = [];

  beforeAll(async () => {
    application = await makeNotes('@jig/redis-sessions');
  });

  afterAll(() => application.remove());

  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function redis(...flags: string[]): Promise<RedisServer> {
    const server = await RedisServer.start(...flags);
    servers.push(server);
    return server;
  }

  const options = (url: string) => ({
    main: application.main,
    environment: { REDIS_URL: url, JIG_SESSIONS_SECRET: secret },
  });

  /** In this process, where its process is not the subject. */
  async function inProcess(options: InProcessOptions): Promise<Pick<RunningService, 'url'>> {
    const service = await startInProcess(options);
    running.push(service);
    return service;
  }

  async function start(url: string): Promise<RunningService> {
    const service = await startService(options(url));
    running.push(service);
    return service;
  }

  const state = async (service: Pick<RunningService, 'url'>) => {
    const response = await fetch(`${service.url}/health`);
    const { parts } = (await response.json()) as { parts: { redis: { state: string } } };
    return `${response.status} ${parts.redis.state}`;
  };
  const becomes = (service: Pick<RunningService, 'url'>, wanted: string) =>
    expect.poll(() => state(service), { interval: 100 }).toBe(wanted);

  it('answer 503 while Redis is stopped under load, and recover without a restart', async () => {
    const server = await redis();
    const service = await start(server.url);
    const load = new MeasuredLoad([service.url], 4);
    await load.goesOn();
    await server.stop();
    await becomes(service, '503 reconnecting');
    await load.isRefused();
    await server.restart();
    await becomes(service, '200 ready');
    await load.goesOn();
    // This Redis keeps nothing on the disk.
    expect((await load.end()).unexpected).toEqual([]);
    expect(service.process.exitCode).toBeNull();
  });

  it('let the clock show its defaults and an alert while Redis is frozen or stopped', async () => {
    const server = await redis();
    const environment = { REDIS_URL: server.url, JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database' };
    const service = await inProcess({ environment });
    const post = (cookie: string) =>
      fetch(`${service.url}/clock/time`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({ languageTag: 'fr', zoneID: 'Asia/Kolkata' }),
      });
    const stored = await post('');
    expect(stored.status).toBe(302);
    const cookie = stored.headers.get('set-cookie')?.split(';')[0] ?? '';
    const look = async () => {
      const response = await fetch(`${service.url}/clock/time`, { headers: { cookie, 'accept-language': 'en' } });
      const page = await response.text();
      expect(response.status).toBe(200);
      return (
        /<option[^>]* value="(\S+)" selected/.exec(page)?.[1] +
        (page.includes('role="alert"') ? ', with a word of it' : '')
      );
    };
    expect(await look()).toBe('fr');
    server.signal('SIGSTOP');
    expect(await look()).toMatch(/^en.*, with a word of it$/);
    expect((await post(cookie)).status).toBe(503);
    server.signal('SIGCONT');
    await expect.poll(look).toBe('fr');
    await server.stop();
    expect(await look()).toMatch(/^en.*, with a word of it$/);
    expect((await post(cookie)).status).toBe(503);
    await server.restart();
    await expect.poll(async () => (await post(cookie)).status).toBe(302);
    expect(await look()).toBe('fr');
  });

  it('are in memory when REDIS_URL is not set, and the log says so', async () => {
    const service = await startService({ main: application.main });
    running.push(service);
    expect(service.output()).toContain('add-on @jig/redis-sessions is off: REDIS_URL is not set');
    expect((await new Visitor(service.url).note('a', 'b')).status).toBe(302);
  });
});
