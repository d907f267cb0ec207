import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { makeNotes, Visitor } from '../faults/database-notes.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, runService, startService } from '../support/start-service.ts';
import { MeasuredLoad } from './measured-load.ts';
import { PostgresqlPair } from './postgresql-pair.ts';

const secret = 'a-secret-that-signs-cookies-for-all-instances';
let application: MadeApplication;
let pair: PostgresqlPair;
const running: RunningService[] = [];

beforeAll(async () => {
  application = await makeNotes('@jig/embedded-database');
  pair = await PostgresqlPair.start();
});

afterAll(async () => {
  await Promise.all(running.map((service) => service.stop('SIGKILL')));
  await pair.stop();
  await application.remove();
});

const options = (url: string) => ({
  main: application.main,
  environment: { DATABASE_URL: url, JIG_SESSIONS_SECRET: secret },
});

async function start(url: string): Promise<RunningService> {
  const service = await startService(options(url));
  running.push(service);
  return service;
}

// The servers are those that Debian installs.
it.runIf(process.platform === 'linux')(
  'sessions are kept through PgBouncer in transaction mode, and when the standby of PostgreSQL is promoted',
  async () => {
    // A server that takes no writes is refused at the start with one sentence.
    const standby = `postgres://jig@127.0.0.1:${pair.ports.standby}/postgres?target_session_attrs=read-write`;
    const { exitCode, stderr } = await runService(options(standby));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^[^\n]*no server is read-write[^\n]*\n$/);

    // The tables are made through the pooler; then its connections are used by many at once.
    const pooled = await start(pair.poolerUrl);
    const throughPooler = new MeasuredLoad([pooled.url], 8);
    await throughPooler.goesOn(300);
    expect(await throughPooler.end()).toMatchObject({ refused: 0, unexpected: [], lost: 0 });
    const prepared = await pair.query(pair.ports.pooler, 'SELECT name FROM pg_prepared_statements');
    expect(prepared).toEqual([]);

    // The first host in the address is the standby, which is passed over.
    const reversed = pair.url.replace(/@(.*?),(.*?)\//, '@$2,$1/');
    const service = await start(reversed);
    const { visitor } = await new Visitor(pooled.url).note('zoneID', 'UTC');
    expect((await visitor.at(service.url).read()).notes).toEqual({ zoneID: 'UTC' });
    const load = new MeasuredLoad([service.url], 6);
    await load.goesOn();
    await pair.kill('primary');
    await load.isRefused();
    await pair.query(pair.ports.standby, 'SELECT pg_promote()');
    await until(async () => (await fetch(`${service.url}/health`)).status === 200, 'the service is healthy again');
    await load.goesOn(100);
    const figures = await load.end();
    console.info('PostgreSQL, standby promoted', figures);
    // The standby had every commit before it was confirmed.
    expect(figures).toMatchObject({ unexpected: [], lost: 0 });
    expect((await visitor.at(service.url).read()).notes).toEqual({ zoneID: 'UTC' });
  },
);
