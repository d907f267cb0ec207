import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionOptions } from '../src/connection/connection-options.ts';
import { EmbeddedDatabase, type EmbeddedDatabaseOptions } from '../src/embedded-database.ts';
import type { Engine, EngineServer } from '../src/engines/engine.ts';
import { findOrphan } from '../src/supervisor/preparation.ts';
import { childrenOf, commandLineOf, identify, isAlive } from '../src/supervisor/process-identity.ts';
import { credentials, runAs } from '../src/supervisor/run-as.ts';
import type { State } from '../src/supervisor/state.ts';
import { SmallDisk } from './small-disk.ts';
import { quietServer } from './temporary-server.ts';

export interface EngineSuiteOptions {
  readonly engine: Engine;
  /** Runs statements over a connection of its own; returns the rows of the last one as lists of values. */
  readonly query: (connection: ConnectionOptions, ...statements: string[]) => Promise<readonly (readonly unknown[])[]>;
  /** Makes the data look as if another major version had written it. */
  readonly age: (dataFolder: string) => Promise<void>;
  readonly damage: (dataFolder: string) => Promise<void>;
  /** Disks of so many megabytes, on which making a new database fails at one step or another. */
  readonly smallDisks: readonly number[];
  /** A statement that ends the server when it is run often enough on a full disk; undefined when nothing does. */
  readonly fatalOnFullDisk?: string;
  /** A setting that the server knows, with the query that shows it. */
  readonly setting: { readonly name: string; readonly value: string; readonly query: string; readonly shown: unknown };
}

/** For tests of one engine. */
export interface EngineSuiteTools {
  /** Makes an initialised database in the folder, without starting it; gives the folder of its data. */
  readonly initialised: (home: string) => Promise<string>;
}

const noLog = { info: () => {}, warn: () => {}, error: () => {} };

/** What every engine must do under the supervisor, with its real server; `more` holds tests of this engine alone. */
export function engineSuite(
  title: string,
  { engine, query, age, damage, smallDisks, fatalOnFullDisk, setting }: EngineSuiteOptions,
  more?: (tools: EngineSuiteTools) => void,
): void {
  describe(title, { timeout: 60_000 }, () => {
    let home: string;
    let states: State[];
    const started: EmbeddedDatabase[] = [];
    const children: ChildProcess[] = [];
    /** What the databases keep to themselves, since it holds the password. */
    const servers = new WeakMap<EmbeddedDatabase, EngineServer>();
    let failureCode: string | undefined;

    /** Initialised once and copied by most tests, since that takes a fraction of the time. */
    let prototype: string;

    beforeAll(async () => {
      prototype = await mkdtemp(join(tmpdir(), 'jig-prototype-'));
      await chmod(prototype, 0o755);
      const database = new EmbeddedDatabase({ ...quietServer, engine, home: prototype, temporary: false });
      await database.start();
      await database.stop();
    }, 60_000);

    afterAll(() => rm(prototype, { recursive: true, force: true }));

    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'jig-engine-'));
      await chmod(home, 0o755);
      states = [];
      failureCode = undefined;
    });

    afterEach(async () => {
      await Promise.all(started.splice(0).map((database) => database.stop()));
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    });

    /** Its log lines say which states it went through, and with which error code it failed. */
    function make({ log = noLog, ...options }: Partial<EmbeddedDatabaseOptions> = {}): EmbeddedDatabase {
      const note = (fields: object) => {
        const { facts } = fields as { facts: { to?: State; code?: string } };
        if (facts.to !== undefined) states.push(facts.to);
        if (facts.to === 'failed') failureCode = facts.code;
      };
      const database = new EmbeddedDatabase({
        engine: {
          ...engine,
          server: async (place) => {
            const server = await engine.server(place);
            servers.set(database, server);
            return server;
          },
        },
        home: join(home, 'database'),
        port: 0,
        user: 'nobody',
        temporary: false,
        settings: {},
        startTimeout: 30_000,
        probeInterval: 500,
        restart: { initialDelay: 50 },
        ...options,
        log: {
          info: (fields, text) => [note(fields), log.info(fields, text)],
          warn: (fields, text) => [note(fields), log.warn(fields, text)],
          error: (fields, text) => [note(fields), log.error(fields, text)],
        },
      });
      started.push(database);
      return database;
    }

    /** A database that is filled from the prototype, if it is new. */
    async function filled(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
      const folder = options.home ?? join(home, 'database');
      const isNew = !existsSync(join(folder, passwordFile));
      if (isNew) await usePassword(folder);
      return make(isNew ? { fill: copyPrototype, ...options } : options);
    }

    async function start(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
      const server = await filled(options);
      await server.start();
      return server;
    }

    const passwordFile = `${engine.folder}.password`;

    async function usePassword(folder: string): Promise<void> {
      await mkdir(folder, { recursive: true });
      await copyFile(join(prototype, passwordFile), join(folder, passwordFile));
    }

    async function copyPrototype(folder: string): Promise<void> {
      const { status, stderr } = spawnSync('cp', ['-a', `${join(prototype, engine.folder)}/.`, folder]);
      if (status !== 0) throw new Error(stderr.toString());
    }

    /** Puts an initialised database into the folder, without starting it; gives the folder of its data. */
    async function initialised(folder = join(home, 'database')): Promise<string> {
      await usePassword(folder);
      const data = join(folder, engine.folder);
      await copyPrototype(data);
      return data;
    }

    const failure = (options?: Partial<EmbeddedDatabaseOptions>) => failureOf(make(options));

    async function failureOf(server: EmbeddedDatabase): Promise<{ code: string; message: string }> {
      const error: unknown = await server.start().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Error);
      expect(server.state).toBe('failed');
      return error as { code: string; message: string };
    }

    const serverOf = (database: EmbeddedDatabase) => {
      const server = servers.get(database);
      if (server === undefined) throw new Error('the server was not prepared');
      return server;
    };
    const ask = (database: EmbeddedDatabase, ...statements: string[]) => query(database.connection(), ...statements);
    const pidOf = (database: EmbeddedDatabase) => database.pid ?? 0;
    const reached = (database: EmbeddedDatabase, state: State) =>
      expect.poll(() => database.state, { timeout: 30_000, interval: 20 }).toBe(state);

    async function restarted(database: EmbeddedDatabase, restarts: number): Promise<void> {
      await expect.poll(() => database.restarts, { timeout: 40_000, interval: 20 }).toBe(restarts);
      await reached(database, 'ready');
    }

    it('initialises once, starts, stops, and keeps the data for the next start', async () => {
      const first = make();
      await first.start();
      expect(states).toEqual(['preparing', 'initialising', 'starting', 'ready']);
      await ask(first, 'CREATE TABLE kept (word VARCHAR(20))', "INSERT INTO kept VALUES ('still here')");
      const pid = pidOf(first);
      await first.stop();
      expect(await identify(pid)).toBeUndefined();

      states = [];
      const second = await start();
      expect(states).toEqual(['preparing', 'starting', 'ready']);
      expect(await ask(second, 'SELECT word FROM kept')).toEqual([['still here']]);
    });

    it('leaves nothing of itself when it stops: no process, no lock, no socket', async () => {
      const server = await start();
      const family = [pidOf(server), ...(await childrenOf(pidOf(server))).map(({ pid }) => pid)];
      await server.stop();
      await server.stop();
      for (const pid of family) await expect.poll(() => identify(pid)).toBeUndefined();
      expect(await readdir(join(home, 'database', 'run'))).toEqual([]);
      expect(await readdir(join(home, 'database'))).not.toContain('lock');
      expect(server.state).toBe('stopped');
    });

    it('is back after a kill, with everything that was committed', async () => {
      const server = await start();
      await ask(server, 'CREATE TABLE kept (word VARCHAR(20))', "INSERT INTO kept VALUES ('committed')");
      process.kill(pidOf(server), 'SIGKILL');
      await restarted(server, 1);
      expect(states).toContain('restarting');
      expect(await ask(server, 'SELECT word FROM kept')).toEqual([['committed']]);
    });

    it('takes a frozen server for unhealthy, kills it and starts it again', async () => {
      const server = await start();
      const frozen = await identify(pidOf(server));
      process.kill(pidOf(server), 'SIGSTOP');
      await reached(server, 'unhealthy');
      await restarted(server, 1);
      expect(frozen !== undefined && (await isAlive(frozen))).toBe(false);
      expect(await ask(server, 'SELECT 1')).toEqual([[1]]);
    });

    it('can be stopped while it initialises, and starts afterwards', async () => {
      const interrupted = make();
      const starting = interrupted.start().catch((error: unknown) => error);
      await reached(interrupted, 'initialising');
      await interrupted.stop();
      expect(await starting).toMatchObject({ code: 'JIG_DATABASE_STOPPED' });
      expect((await readdir(join(home, 'database'))).filter((name) => name.includes('initialising'))).toEqual([]);
      const server = await start();
      expect(await ask(server, 'SELECT 1')).toEqual([[1]]);
    });

    it.for(['none', ...smallDisks])(
      'says so when the disk fills up while it initialises, and starts once there is room: %s MB',
      async (size, { skip }) => {
        const disk = await SmallDisk.mount(join(home, 'small'), size === 'none' ? 20 : Number(size), skip);
        try {
          const folder = join(disk.folder, 'database');
          if (size === 'none') await disk.fill();
          else await usePassword(folder);
          const error = await failure({ home: folder });
          expect(error).toMatchObject({ code: 'JIG_DATABASE_DISK_FULL' });
          expect(error.message).toContain(folder);
          expect((await readdir(folder)).filter((name) => name.startsWith(`${engine.folder}.init`))).toEqual([]);
          expect(await readdir(folder)).not.toContain(engine.folder);
          disk.resize(500);
          // Nothing is left of the first try, so it is enough to initialise once more after one of them.
          const isLast = size === smallDisks.at(-1);
          const server = isLast ? make({ home: folder }) : await filled({ home: folder, fill: copyPrototype });
          await server.start();
          expect(await ask(server, 'SELECT 1')).toEqual([[1]]);
          await server.stop();
        } finally {
          await disk.unmount();
        }
      },
    );

    if (fatalOnFullDisk !== undefined)
      it('does not give up while the disk is full, and is back when there is room', async ({ skip }) => {
        const disk = await SmallDisk.mount(join(home, 'small'), 120, skip);
        try {
          const server = await start({
            home: join(disk.folder, 'database'),
            restart: { initialDelay: 10, maximumDelay: 200, maximumRetries: 2 },
          });
          await ask(server, 'CREATE TABLE kept (word VARCHAR(20))', "INSERT INTO kept VALUES ('committed')");
          await disk.fill();
          const pid = pidOf(server);
          while (pidOf(server) === pid) await ask(server, fatalOnFullDisk).catch(() => sleep(20));
          const tries = () => states.filter((state) => state === 'starting').length;
          await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(6);
          await disk.empty();
          await reached(server, 'ready');
          expect(await ask(server, 'SELECT word FROM kept')).toEqual([['committed']]);
          await server.stop();
        } finally {
          await disk.unmount();
        }
      });

    it('removes what a killed initialisation left behind', async () => {
      const draft = join(home, 'database', `${engine.folder}.initialising-killed`);
      await mkdir(draft, { recursive: true });
      await writeFile(join(draft, 'PG_VERSION'), '18\n');
      await start();
      expect(await readdir(join(home, 'database'))).not.toContain(`${engine.folder}.initialising-killed`);
    });

    it('refuses a folder that another one holds, naming it and its pid, and leaves that one alone', async () => {
      const first = await start();
      const error = await failure();
      expect(error.code).toBe('JIG_DATABASE_FOLDER_HELD');
      expect(error.message).toContain(join(home, 'database'));
      expect(error.message).toContain(String(process.pid));
      expect(await ask(first, 'SELECT 1')).toEqual([[1]]);
    });

    it('recognises a server of an earlier run by its folder, and ends it', async () => {
      const first = await start();
      await ask(first, 'CREATE TABLE kept (word VARCHAR(20))');
      const { file, args, env } = serverOf(first).command();
      await first.stop();
      const orphan = spawn(file, args, {
        env: { ...process.env, ...env },
        stdio: 'ignore',
        ...credentials(await runAs('nobody')),
      });
      children.push(orphan);
      await expect.poll(() => serverOf(first).pidOnFile(), { timeout: 20_000 }).toBe(orphan.pid);

      const second = await start();
      expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
      expect(await ask(second, 'SELECT count(*) FROM kept')).toHaveLength(1);
    });

    it('never ends a process that merely has the pid of an earlier server', async () => {
      await initialised();
      const stranger = spawn('sleep', ['300'], { stdio: 'ignore' });
      children.push(stranger);
      await once(stranger, 'spawn');
      const identity = await identify(stranger.pid ?? 0);
      await writeFile(join(home, 'database', 'server.json'), JSON.stringify(identity));
      await start();
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    });

    it('never touches a folder that holds something else', async () => {
      const data = join(home, 'database', engine.folder);
      await mkdir(data, { recursive: true });
      await writeFile(join(data, 'thesis.txt'), 'years of work');
      const user = await runAs('nobody');
      if (user !== undefined) await chown(data, user.uid, user.gid);
      await writeFile(join(home, 'database', `${engine.folder}.password`), 'abc');
      expect((await failure()).code).toBe('JIG_DATABASE_FOLDER_FOREIGN');
      expect(await readdir(data)).toEqual(['thesis.txt']);
    });

    it('does not start on data of another major version, nor touch it', async () => {
      const data = await initialised();
      await age(data);
      const before = await readdir(data);
      expect((await failure()).code).toBe('JIG_DATABASE_VERSION_DIFFERS');
      expect(await readdir(data)).toEqual(before);
    });

    it('says so when the data is damaged', async () => {
      const data = await initialised();
      await damage(data);
      const error = await failure();
      expect(error.code).toBe('JIG_DATABASE_DAMAGED');
      expect(error.message).toContain(data);
    });

    it('says so when the password is gone', async () => {
      await initialised();
      await rm(join(home, 'database', `${engine.folder}.password`));
      expect((await failure()).code).toBe('JIG_DATABASE_PASSWORD_MISSING');
    });

    it('says so when the data has another password, and names the file', async () => {
      await initialised();
      const file = join(home, 'database', `${engine.folder}.password`);
      const password = await readFile(file, 'utf8');
      await writeFile(file, 'x'.repeat(password.length));
      const error = await failure();
      expect(error.code).toBe('JIG_DATABASE_PASSWORD_WRONG');
      expect(error.message).toContain(file);
      await writeFile(file, password);
      await start();
    });

    it('says so when the port is taken, and listens on the loopback address when it is free', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const error = await failureOf(await filled({ port }));
      expect(error.code).toBe('JIG_DATABASE_PORT_TAKEN');
      expect(error.message).toContain(String(port));
      taken.close();
      await once(taken, 'close');
      const server = await start({ port });
      const connection = { ...server.connection(), host: '127.0.0.1', port };
      const { socket: _, ...byNetwork } = connection;
      expect(await query(byNetwork, 'SELECT 1')).toEqual([[1]]);
    });

    it('lets nobody in without the password', async () => {
      const server = await start();
      await expect(query({ ...server.connection(), password: 'guessed' }, 'SELECT 1')).rejects.toThrow();
    });

    it('shows its password in no process list, log or readable file', async () => {
      const server = await start();
      const { password } = server.connection();
      const family = [pidOf(server), ...(await childrenOf(pidOf(server))).map(({ pid }) => pid)];
      for (const pid of family) {
        // One that only helped with the start has ended by now.
        expect((await commandLineOf(pid))?.join(' ') ?? '').not.toContain(password);
        expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).not.toContain(password);
      }
      await server.stop();
      expect(await readFile(server.logFile, 'utf8')).not.toContain(password);
    });

    it('passes settings on to the server, and names one that it refuses', async () => {
      const server = await start({ settings: { [setting.name]: setting.value } });
      expect((await ask(server, setting.query)).flat()).toContain(setting.shown);
      await server.stop();
      const error = await failure({ settings: { no_such_setting: '1' } });
      expect(error.code).toBe('JIG_DATABASE_SETTING_REFUSED');
      expect(error.message).toContain('no_such_setting');
    });

    it('keeps nothing when it is temporary', async () => {
      const server = await start({ temporary: true });
      await ask(server, 'CREATE TABLE gone (word VARCHAR(20))');
      await server.stop();
      expect((await readdir(join(home, 'database'))).filter((name) => name.startsWith(engine.folder))).toEqual([
        `${engine.folder}.password`,
      ]);
    });

    it('works in a folder whose path is too long for a socket', async () => {
      const deep = join(home, 'd'.repeat(60), 'e'.repeat(60));
      const server = await start({ home: deep });
      expect(await ask(server, 'SELECT 1')).toEqual([[1]]);
      const { socket = '' } = server.connection();
      expect(socket.startsWith(deep)).toBe(false);
      await server.stop();
      await expect(readdir(engine.dialect === 'mysql' ? join(socket, '..') : socket)).rejects.toThrow('ENOENT');
      const asked = join(home, 'f'.repeat(110));
      expect((await failure({ socketFolder: asked })).code).toBe('JIG_DATABASE_SOCKET_PATH_TOO_LONG');
    });

    it.skipIf(process.getuid?.() !== 0)('copes with a folder that only root can reach, or says so', async () => {
      await chmod(home, 0o700);
      const server = await filled();
      const error: unknown = await server.start().catch((reason: unknown) => reason);
      if (serverOf(server).runsByDescriptor !== true) {
        expect(error).toMatchObject({ code: 'JIG_DATABASE_FOLDER_UNUSABLE' });
        return;
      }
      await ask(server, 'CREATE TABLE kept (word VARCHAR(20))');
      process.kill(pidOf(server), 'SIGKILL');
      await restarted(server, 1);
      expect(await ask(server, 'SELECT count(*) FROM kept')).toHaveLength(1);
      expect(await findOrphan(serverOf(server), join(home, 'database', 'server.json'))).toMatchObject({
        pid: pidOf(server),
      });
    });

    it('gives up after five tries, and says what the server said', async () => {
      const server = await start({ restart: { initialDelay: 10, maximumRetries: 5 } });
      await damage(server.dataFolder);
      process.kill(pidOf(server), 'SIGKILL');
      await reached(server, 'failed');
      expect(failureCode).toBe('JIG_DATABASE_GAVE_UP');
      expect(states.filter((state) => state === 'restarting')).toHaveLength(5);
    });

    it('gives up a server that is killed again and again although it gets ready each time', async () => {
      const errors: string[] = [];
      const log = { info: () => {}, warn: () => {}, error: (_: object, text: string) => void errors.push(text) };
      const server = await start({ log, restart: { initialDelay: 10, maximumRetries: 1 } });
      process.kill(pidOf(server), 'SIGKILL');
      await restarted(server, 1);
      process.kill(pidOf(server), 'SIGKILL');
      await reached(server, 'failed');
      expect(failureCode).toBe('JIG_DATABASE_GAVE_UP');
      expect(server.pid).toBeNull();
      expect(errors).toEqual([expect.stringContaining('is not tried again')]);
    });

    it('gives up a server that is killed while it does not answer', async () => {
      const server = await start({ restart: { maximumRetries: 0 }, probeInterval: 100 });
      process.kill(pidOf(server), 'SIGSTOP');
      await reached(server, 'unhealthy');
      process.kill(pidOf(server), 'SIGKILL');
      await reached(server, 'failed');
      expect(states.slice(-2)).toEqual(['unhealthy', 'failed']);
    });

    it('survives three starts and stops without leaving files, sockets or processes behind', async () => {
      const folder = join(home, 'database');
      await (await start()).stop();
      const before = await readdir(folder);
      const handles = (await readdir('/dev/fd')).length;
      for (let round = 0; round < 3; round++) await (await start()).stop();
      await sleep(100);
      expect(await readdir(folder)).toEqual(before);
      expect((await readdir('/dev/fd')).length).toBeLessThanOrEqual(handles + 1);
      expect((await childrenOf(process.pid)).length).toBeLessThanOrEqual(1);
    });

    more?.({ initialised });
  });
}
