import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defineFeature } from '@jig/application';
import type { Pool, PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseAddress } from '../../packages/embedded-database/src/connection/address.ts';
import { temporaryServer } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { databasePid } from './database-pid.ts';

/** Routes that use the pool in the three ways there are: asked for each time, kept, and by a connection of their own. */
const answers = defineFeature({
  name: 'answers',
  register: (host) =>
    host.routes(async (server) => {
      const pool = await host.beans.get('databasePool');
      const well = { answer: 1 };
      let kept: Pool | undefined;
      let held: PoolClient | undefined;
      server.get('/asked', async () => {
        await pool.postgresql().query('SELECT 1');
        return well;
      });
      server.get('/kept', async () => {
        kept ??= pool.postgresql();
        await kept.query('SELECT 1');
        return well;
      });
      server.get('/connection', async () => {
        kept ??= pool.postgresql();
        const client = await kept.connect();
        try {
          await client.query('START TRANSACTION');
          await pause(5);
          await client.query('COMMIT');
          return well;
        } finally {
          client.release();
        }
      });
      server.get('/slow', async () => {
        await pool.postgresql().query('SELECT pg_sleep(2.5)');
        return well;
      });
      server.get('/hold', async (request) => {
        await request.session.set('a', 'b');
        held = await pool.postgresql().connect();
        await held.query('START TRANSACTION');
        await held.query('DELETE FROM jig_session');
        return well;
      });
      server.get('/store', async (request) => {
        await request.session.set('a', 'c');
        return well;
      });
      server.get('/release', async () => {
        await held?.query('ROLLBACK');
        held?.release();
        return well;
      });
      server.get('/wrong', async () => pool.postgresql().query('SELECT nothing FROM nowhere'));
    }),
});

const paths = ['/asked', '/kept', '/connection'];

/** Visits all routes until told to stop, and gives what they have answered so far. */
function visit(url: string) {
  const seen = new Set<string>();
  let isOver = false;
  const visitors = paths.map(async (path) => {
    while (!isOver) {
      const response = await fetch(url + path);
      seen.add(`${path} ${response.status} ${response.headers.get('retry-after')} ${await response.text()}`);
      await pause(20);
    }
  });
  const end = async () => {
    isOver = true;
    await Promise.all(visitors);
    return [...seen].sort();
  };
  const all = (answer: (path: string) => string) =>
    expect.poll(() => paths.every((path) => seen.has(answer(path)))).toBe(true);
  const any = (answer: (path: string) => string) =>
    expect.poll(() => paths.some((path) => seen.has(answer(path)))).toBe(true);
  return { end, all, any };
}

const well = (path: string) => `${path} 200 null {"answer":1}`;
const away = (path: string) =>
  `${path} 503 2 ${JSON.stringify({ type: 'about:blank', title: 'Service unavailable', status: 503, detail: 'A part that is needed is not available right now; please try again shortly.' })}`;

describe('routes on a PostgreSQL', () => {
  let application: MadeApplication;
  let folder: string;
  const running: InProcessService[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-routes-'));
    await chmod(folder, 0o755);
    application = await makeApplication({ dependencies: ['@jig/embedded-database', '@jig/bean-inspection'] });
    await copyInitialisedHome(join(folder, 'home'));
  });

  afterAll(async () => {
    await application.remove();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });

  /** In this process, which an error that nobody handles would end; gives the address. */
  async function start(environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const { url } = await startService(environment);
    return url;
  }

  async function startService(environment: NodeJS.ProcessEnv): Promise<InProcessService> {
    const service = await startInProcess({
      main: application.main,
      application: { features: [answers] },
      home: join(folder, 'home'),
      environment: { JIG_SESSIONS_STORE: 'memory', ...environment },
    });
    running.push(service);
    return service;
  }

  it('return only 503 after it is killed, until it is available again', async () => {
    const url = await start();
    const database = async () => {
      const { parts } = (await (await fetch(`${url}/health`)).json()) as {
        parts: { database: { state: string; details?: { restarts: number } } };
      };
      return parts.database;
    };
    expect((await fetch(`${url}/wrong`)).status).toBe(500);
    const visits = visit(url);
    await visits.all(well);
    process.kill(await databasePid({ url }), 'SIGKILL');
    await expect.poll(database).toMatchObject({ state: 'ready', details: { restarts: 1 } });
    await visits.all(away);
    expect(await visits.end()).toEqual(paths.flatMap((path) => [well(path), away(path)]).sort());
    for (const path of paths) expect((await fetch(url + path)).status).toBe(200);
  });

  it('return only 503 while it recovers from the end of one of its processes, as on a full disk', async () => {
    const url = await start();
    const pid = await databasePid({ url });
    const visits = visit(url);
    await visits.all(well);
    const { stdout } = spawnSync('pgrep', ['-P', String(pid), '-f', 'checkpointer'], { encoding: 'utf8' });
    process.kill(Number(stdout), 'SIGKILL');
    await visits.any(away);
    await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(200);
    const known = paths.flatMap((path) => [well(path), away(path)]);
    expect((await visits.end()).filter((answer) => !known.includes(answer))).toEqual([]);
  });

  it('are visible at a glance in the beans of the database, the pool and sessions', async () => {
    const url = await start({ JIG_SESSIONS_STORE: 'database' });
    await fetch(`${url}/hold`);
    const { beans } = (await (await fetch(`${url}/jig/bean.json`)).json()) as {
      beans: readonly { name: string; line?: string }[];
    };
    const lineOf = (wanted: string) => beans.find(({ name }) => name === wanted)?.line;
    expect(lineOf('database')).toMatch(/^ready, uptime .+, 0 restarts$/);
    expect(lineOf('databasePool')).toMatch('1 of 10 connections, 1 in use, 0 idle, 0 waiting');
    expect(lineOf('sessionManager')).toMatch(/^store ready, 0 failures, 1 created/);
    const metrics = (await (await fetch(`${url}/jig/metrics`)).text()).split('\n');
    const used = metrics.filter((line) => line.includes('db_client_connection_state="used"'));
    expect(used.map((line) => line.split('} ')[1])).toEqual(['1']);
    await fetch(`${url}/release`);
  });

  it('may take longer than the limit of session queries', async () => {
    const url = await start({ JIG_SESSIONS_STORE: 'database' });
    const slow = fetch(`${url}/slow`);
    const held = await fetch(`${url}/hold`);
    const headers = { cookie: held.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect((await fetch(`${url}/store`, { headers })).status).toBe(503);
    expect((await slow).status).toBe(200);
    await fetch(`${url}/release`);
    await expect.poll(async () => (await fetch(`${url}/store`, { headers })).status).toBe(200);
  });

  it('share sessions in an external server, which is shown without its password', async () => {
    const temporary = await temporaryServer();
    const { connection } = temporary;
    const environment = {
      DATABASE_URL: databaseAddress(connection).url,
      JIG_SESSIONS_STORE: 'database',
      JIG_SESSIONS_SECRET: 'the-same-for-all-instances-of-the-service',
    };
    const [one, other] = await Promise.all([startService(environment), startService(environment)]);
    const cookie = (await fetch(`${one.url}/store`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await (await fetch(`${other.url}/jig/bean/session.json`, { headers: { cookie } })).text()).toContain('"c"');
    const health = async () => (await fetch(`${one.url}/health`)).text();
    await expect.poll(health).toContain('"database":{"ok":true');
    expect(await health()).toContain(`127.0.0.1:${connection.port}`);
    expect((await health()) + one.output()).not.toContain(connection.password);
    await temporary.stop();
  });

  it('return 503 while an external server is unavailable', async () => {
    const temporary = await temporaryServer();
    const url = await start({ DATABASE_URL: databaseAddress(temporary.connection).url });
    const visits = visit(url);
    await visits.all(well);
    await temporary.stop();
    await visits.all(away);
    expect(await visits.end()).toEqual(paths.flatMap((path) => [well(path), away(path)]).sort());
  });
});
