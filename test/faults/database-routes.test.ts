import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mysql } from '../../packages/embedded-database/src/engines/mysql.ts';
import { postgresql } from '../../packages/embedded-database/src/engines/postgresql.ts';
import { temporaryServer } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';

/** Routes that use the pool in the three ways there are: asked for each time, kept, and by a connection of their own. */
const routes = `[{
  name: 'answers',
  register: (host) => host.routes(async (server) => {
    const pool = await host.beans.get('databasePool');
    const native = () => pool[pool.dialect]();
    let kept;
    let release;
    server.get('/asked', async () => { await native().query('SELECT 1'); return { answer: 1 }; });
    server.get('/kept', async () => { kept ??= native(); await kept.query('SELECT 1'); return { answer: 1 }; });
    server.get('/connection', async () => {
      kept ??= native();
      const client = await (kept.getConnection?.() ?? kept.connect());
      try {
        await client.query('START TRANSACTION');
        await new Promise((resolve) => setTimeout(resolve, 5));
        await client.query('COMMIT');
        return { answer: 1 };
      } finally {
        client.release();
      }
    });
    const slow = (seconds) => pool.dialect === 'postgresql' ? \`SELECT pg_sleep(\${seconds})\` : \`SELECT SLEEP(\${seconds})\`;
    server.get('/slow', async () => { await native().query(slow(2.5)); return { answer: 1 }; });
    server.get('/hold', async (request) => {
      await request.session.set('a', 'b');
      const client = await (native().getConnection?.() ?? native().connect());
      await client.query('START TRANSACTION');
      await client.query('DELETE FROM jig_session');
      return { release: await new Promise((resolve) => { release = async () => { await client.query('ROLLBACK'); client.release(); }; resolve(1); }) };
    });
    server.get('/store', async (request) => { await request.session.set('a', 'c'); return { answer: 1 }; });
    server.get('/release', async () => { await release(); return { answer: 1 }; });
    server.get('/wrong', async () => { await native().query('SELECT nothing FROM nowhere'); });
  }),
}]`;

const paths = ['/asked', '/kept', '/connection'];

/** Visits all routes until told to stop, and gives what they have answered so far. */
function visit(url: string) {
  const answers = new Set<string>();
  let isOver = false;
  const visitors = paths.map(async (path) => {
    while (!isOver) {
      const response = await fetch(url + path);
      answers.add(`${path} ${response.status} ${response.headers.get('retry-after')} ${await response.text()}`);
      await pause(5);
    }
  });
  const end = async () => {
    isOver = true;
    await Promise.all(visitors);
    return [...answers].sort();
  };
  const all = (answer: (path: string) => string) =>
    expect.poll(() => paths.every((path) => answers.has(answer(path))), { timeout: 30_000 }).toBe(true);
  return { end, all };
}

const well = (path: string) => `${path} 200 null {"answer":1}`;
const away = (path: string) =>
  `${path} 503 2 ${JSON.stringify({ type: 'about:blank', title: 'Service unavailable', status: 503, detail: 'A part that is needed is not available right now; please try again shortly.' })}`;

describe.each([
  ['PostgreSQL', postgresql],
  ['MariaDB', mysql],
])('routes on a %s', (_name, engine) => {
  let application: MadeApplication;
  let folder: string;
  const running: RunningService[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-routes-'));
    await chmod(folder, 0o755);
    application = await makeApplication({ dependencies: ['@jig/embedded-database'], main: mainWith(routes) });
  });

  afterAll(async () => {
    await application.remove();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });

  async function start(environment: NodeJS.ProcessEnv): Promise<RunningService> {
    const service = await startService({
      main: application.main,
      home: join(folder, 'home'),
      environment: { JIG_SESSIONS_STORE: 'memory', ...environment },
    });
    running.push(service);
    return service;
  }

  it('return only 503 after it is killed, until it is available again', async () => {
    const service = await start({ JIG_DATABASE_ENGINE: engine.folder });
    const database = async () => {
      const { parts } = (await (await fetch(`${service.url}/health`)).json()) as {
        parts: { database: { state: string; details: { pid: number; restarts: number } } };
      };
      return parts.database;
    };
    expect((await fetch(`${service.url}/wrong`)).status).toBe(500);
    const visits = visit(service.url);
    await visits.all(well);
    process.kill((await database()).details.pid, 'SIGKILL');
    await expect.poll(database, { timeout: 30_000 }).toMatchObject({ state: 'ready', details: { restarts: 1 } });
    await visits.all(away);
    expect(await visits.end()).toEqual(paths.flatMap((path) => [well(path), away(path)]).sort());
    for (const path of paths) expect((await fetch(service.url + path)).status).toBe(200);
    expect(service.process.exitCode).toBeNull();
  });

  it('may take longer than the limit of session queries', async () => {
    const service = await start({ JIG_DATABASE_ENGINE: engine.folder, JIG_SESSIONS_STORE: 'database' });
    const slow = fetch(`${service.url}/slow`);
    const held = await fetch(`${service.url}/hold`);
    const headers = { cookie: held.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect((await fetch(`${service.url}/store`, { headers })).status).toBe(503);
    expect((await slow).status).toBe(200);
    await fetch(`${service.url}/release`);
    await expect
      .poll(async () => (await fetch(`${service.url}/store`, { headers })).status, { timeout: 20_000 })
      .toBe(200);
  });

  it('are aborted after database.queryTimeout', async () => {
    const service = await start({ JIG_DATABASE_ENGINE: engine.folder, JIG_DATABASE_QUERY_TIMEOUT: '1s' });
    expect((await fetch(`${service.url}/slow`)).status).toBe(500);
    expect((await fetch(`${service.url}/asked`)).status).toBe(200);
  });

  it('return 503 while an external server is unavailable', async () => {
    const temporary = await temporaryServer(engine);
    const { dialect, password, socket } = temporary.connection;
    const way = `${dialect === 'postgresql' ? 'host' : 'socket'}=${socket}`;
    const service = await start({ DATABASE_URL: `${dialect}://jig:${password}@localhost/jig?${way}` });
    const visits = visit(service.url);
    await visits.all(well);
    await temporary.stop();
    await visits.all(away);
    expect(await visits.end()).toEqual(paths.flatMap((path) => [well(path), away(path)]).sort());
  });
});
