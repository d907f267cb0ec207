import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmallDisk } from '../../test-fixtures/small-disk.ts';
import { quietServer } from '../../test-fixtures/temporary-server.ts';
import type { ConnectionOptions } from '../connection/address.ts';
import { connect } from '../connection/postgresql-client.ts';
import { EmbeddedDatabase, type EmbeddedDatabaseOptions, type State } from './embedded-database.ts';
import { identify, processSpace, signal } from './process-identity.ts';
import { runAs } from './run-as.ts';

const isRoot = process.getuid?.() === 0;

describe('an embedded PostgreSQL', () => {
  let folder: string;
  let home: string;
  /** The states, as the log shows them. */
  let states: State[];
  let lines: string[];
  const started: EmbeddedDatabase[] = [];
  /** Initialised once and copied by most tests, since that takes a fraction of the time. */
  let prototype: string;

  beforeAll(async () => {
    prototype = await mkdtemp(join(tmpdir(), 'jig-prototype-'));
    await chmod(prototype, 0o755);
    const database = new EmbeddedDatabase({ ...quietServer, home: prototype, temporary: false });
    await database.start();
    await database.stop();
  });

  afterAll(() => rm(prototype, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-embedded-'));
    await chmod(folder, 0o755);
    home = join(folder, 'database');
    states = [];
    lines = [];
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((database) => database.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  function make(options: Partial<EmbeddedDatabaseOptions> = {}): EmbeddedDatabase {
    const note = (fields: object, line: string) => {
      const { facts } = fields as { facts: { to?: State } };
      lines.push(line);
      if (facts.to !== undefined) states.push(facts.to);
    };
    const log = { info: note, warn: note, error: note };
    // A kill of the server loses nothing that a disk would have to be waited for.
    const quick = { settings: { fsync: 'off' }, initialiseArguments: ['--no-sync'] };
    const defaults = { ...quietServer, ...quick, home, temporary: false, log };
    const database = new EmbeddedDatabase({ ...defaults, ...options });
    started.push(database);
    return database;
  }

  async function usePassword(at: string): Promise<void> {
    await mkdir(at, { recursive: true });
    await copyFile(join(prototype, 'postgresql.password'), join(at, 'postgresql.password'));
  }

  async function copyPrototype(at: string): Promise<void> {
    const { status, stderr } = spawnSync('cp', ['-a', `${join(prototype, 'postgresql')}/.`, at]);
    if (status !== 0) throw new Error(stderr.toString());
  }

  /** Puts an initialised database into the folder, without starting it; gives the folder of its data. */
  async function initialised(at = home): Promise<string> {
    await usePassword(at);
    await copyPrototype(join(at, 'postgresql'));
    return join(at, 'postgresql');
  }

  /** Filled from the prototype, if it is new. */
  async function start(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
    const at = options.home ?? home;
    const isNew = !existsSync(join(at, 'postgresql.password'));
    if (isNew) await usePassword(at);
    const database = make(isNew ? { fill: copyPrototype, ...options } : options);
    await database.start();
    return database;
  }

  async function failure(options?: Partial<EmbeddedDatabaseOptions>): Promise<{ code: string; message: string }> {
    const database = make(options);
    const error: unknown = await database.start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(database.state).toBe('failed');
    return error as { code: string; message: string };
  }

  /** Runs statements over a connection of its own; gives the rows of the last one as lists of values. */
  async function query(connection: ConnectionOptions, ...statements: string[]): Promise<unknown[][]> {
    const client = await connect(connection, { connectTimeout: 60_000, queryTimeout: 60_000 });
    try {
      let rows: unknown[][] = [];
      for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
      return rows;
    } finally {
      await client.end();
    }
  }

  const ask = (database: EmbeddedDatabase, ...statements: string[]) => query(database.connection(), ...statements);
  const pidOf = (database: EmbeddedDatabase) => database.pid ?? 0;
  const reached = (database: EmbeddedDatabase, state: State) =>
    expect.poll(() => database.state, { interval: 20 }).toBe(state);

  async function restarted(database: EmbeddedDatabase, restarts: number): Promise<void> {
    await expect.poll(() => database.restarts, { interval: 20 }).toBe(restarts);
    await reached(database, 'ready');
  }

  const keep = ['CREATE TABLE kept (word text)', "INSERT INTO kept VALUES ('committed')"];

  it('initialises once, starts, stops, and keeps the data for the next start', async () => {
    const first = make();
    await first.start();
    expect(states).toEqual(['starting', 'ready']);
    expect(lines).toContainEqual(expect.stringMatching(/^initialising PostgreSQL 18/));
    await ask(first, ...keep);
    const pid = pidOf(first);
    await first.stop();
    expect(await identify(pid)).toBeUndefined();

    lines = [];
    const second = await start();
    expect(lines).not.toContainEqual(expect.stringContaining('initialising'));
    expect(await ask(second, 'SELECT word FROM kept')).toEqual([['committed']]);
  });

  it('leaves no process, address, owner or open file when it stops', async () => {
    await (await start()).stop();
    const files = await readdir(home);
    // Where install scripts are off, there are links to the libraries too.
    expect(files.filter((name) => name !== 'lib').sort()).toEqual(['log', 'postgresql', 'postgresql.password']);
    const handles = (await readdir('/dev/fd')).length;
    for (let round = 0; round < 2; round++) {
      const database = await start();
      const pid = pidOf(database);
      await database.stop();
      await database.stop();
      expect(database.state).toBe('stopped');
      await expect.poll(() => identify(pid)).toBeUndefined();
    }
    expect(await readdir(home)).toEqual(files);
    await expect.poll(async () => (await readdir('/dev/fd')).length).toBeLessThanOrEqual(handles + 1);
  });

  it('writes its address to a file that only its owner can read, and requires the password', async () => {
    const database = await start();
    const file = join(home, 'url');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { port, password } = database.connection();
    expect(await readFile(file, 'utf8')).toBe(`postgresql://jig:${password}@127.0.0.1:${port}/jig\n`);
    expect(database.address).not.toContain(password);
    await expect(query({ ...database.connection(), password: 'guessed' }, 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('creates nothing when its signal is already aborted', async () => {
    const called = AbortSignal.abort(new Error('called off'));
    await expect(make().start(called)).rejects.toThrow('called off');
    expect(await readdir(folder)).toEqual([]);
  });

  it('can be stopped while it initialises, and starts afterwards', async () => {
    const interrupted = make();
    const starting = interrupted.start().catch((error: unknown) => error);
    await expect.poll(() => lines.join(), { interval: 5 }).toContain('initialising');
    await interrupted.stop();
    expect(await starting).toMatchObject({ code: 'JIG_DATABASE_STOPPED' });
    expect((await readdir(home)).filter((name) => name.includes('initialising'))).toEqual([]);
    expect(await ask(await start(), 'SELECT 1')).toEqual([[1]]);
  });

  it('removes what a killed initialisation left behind', async () => {
    const draft = join(home, 'postgresql.initialising');
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, 'PG_VERSION'), '18\n');
    await start();
    expect(existsSync(draft)).toBe(false);
  });

  it('keeps nothing when it is temporary', async () => {
    const database = await start({ temporary: true });
    await ask(database, ...keep);
    await database.stop();
    expect((await readdir(home)).filter((name) => name !== 'lib').sort()).toEqual(['log', 'postgresql.password']);
  });

  describe('that ends', () => {
    it('is started again after longer and longer pauses, and says why until it is back', async () => {
      const database = await start();
      const control = join(database.dataFolder, 'global', 'pg_control');
      const whole = await readFile(control);
      await writeFile(control, Buffer.alloc(8192, 7));
      process.kill(pidOf(database), 'SIGKILL');
      await expect.poll(() => lines.join()).toMatch(/damaged .* trying again in 2 s/);
      expect(lines.join()).toMatch(/signal SIGKILL; trying again in 0\.5 s.* trying again in 1 s/);
      expect(database.failure).toContain('damaged');
      expect(database.pid).toBeNull();
      await writeFile(control, whole);
      await restarted(database, 1);
      expect(await ask(database, 'SELECT 1')).toEqual([[1]]);
    });
  });

  describe('on a full disk', () => {
    it.for([10, 42, 'full'] as const)(
      'reports a disk that is too full to initialise, and starts once there is room: %s MB',
      async (size, { skip }) => {
        const disk = await SmallDisk.mount(join(folder, 'small'), size === 'full' ? 20 : size, skip);
        try {
          const at = join(disk.folder, 'database');
          if (size === 'full') await disk.fill();
          const error = await failure({ home: at });
          expect(error).toMatchObject({ code: 'JIG_DATABASE_DISK_FULL', message: expect.stringContaining(at) });
          expect((await readdir(at)).filter((name) => name.includes('initialising'))).toEqual([]);
          disk.resize(500);
          const database = make({ home: at });
          await database.start();
          expect(await ask(database, 'SELECT 1')).toEqual([[1]]);
          await database.stop();
        } finally {
          await disk.unmount();
        }
      },
    );

    it('is back when there is room', async ({ skip }) => {
      const disk = await SmallDisk.mount(join(folder, 'small'), 120, skip);
      try {
        const database = await start({ home: join(disk.folder, 'database') });
        await ask(database, ...keep);
        const pid = pidOf(database);
        await disk.fill();
        const fill = `SELECT pg_logical_emit_message(true, 'fill', repeat('x', 1000000))`;
        const isRefused = () =>
          ask(database, fill).then(
            () => false,
            () => true,
          );
        await expect.poll(isRefused, { interval: 0 }).toBe(true);
        // It ends by itself then, unless it recovers for ever.
        signal(pid, 'SIGKILL');
        await expect.poll(() => lines.join()).toContain('trying again in 2 s');
        await disk.empty();
        await reached(database, 'ready');
        expect(await ask(database, 'SELECT word FROM kept')).toEqual([['committed']]);
        await database.stop();
      } finally {
        await disk.unmount();
      }
    });
  });

  describe('in a folder', () => {
    it('ends the server that a killed application left in the folder', async () => {
      const first = await start();
      await ask(first, ...keep);
      // As if another process had started it, which is gone.
      const application = { pid: 2 ** 22 - 1, startTime: '1' };
      const pid = pidOf(first);
      const record = JSON.stringify({ host: hostname(), space: await processSpace(), application });
      const copied = join(folder, 'again');
      const data = await initialised(copied);
      await copyFile(join(home, 'postgresql', 'postmaster.pid'), join(data, 'postmaster.pid'));
      await writeFile(join(copied, 'server.json'), record);
      await make({ home: copied }).start();
      expect(lines).toContainEqual(expect.stringMatching(/^ending PostgreSQL .* of an earlier run/));
      await expect.poll(() => identify(pid)).toBeUndefined();
    });

    it('starts when the pid file names another program', async () => {
      const data = await initialised();
      await writeFile(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n`);
      await start();
    });

    it('with other files changes nothing', async () => {
      const data = join(home, 'postgresql');
      await mkdir(data, { recursive: true });
      await writeFile(join(data, 'thesis.txt'), 'years of work');
      const user = await runAs('nobody');
      if (user !== undefined) await chown(data, user.uid, user.gid);
      await writeFile(join(home, 'postgresql.password'), 'abc');
      expect((await failure()).code).toBe('JIG_DATABASE_FOLDER_UNUSABLE');
      expect(await readdir(data)).toEqual(['thesis.txt']);
    });

    it.runIf(isRoot)('starts in a folder that only root may enter', async () => {
      await chmod(folder, 0o700);
      const database = make();
      await database.start();
      await ask(database, ...keep);
      process.kill(pidOf(database), 'SIGKILL');
      await restarted(database, 1);
      expect(await ask(database, 'SELECT word FROM kept')).toEqual([['committed']]);
    });
  });

  describe('whose data is not as it should be', () => {
    /** Does this to a file of an initialised database, and gives what a start says, without the folder. */
    async function said(file: string, change: (path: string) => Promise<void>): Promise<string> {
      const path = join(await initialised(), file);
      const { uid, gid } = await stat(path);
      const kept = join(folder, 'kept');
      await cp(path, kept);
      await change(path);
      const { code, message } = await failure();
      await cp(kept, path);
      // As root, a file that was missing would belong to root, and the server runs as somebody else.
      await chown(path, uid, gid);
      // The data is untouched: it starts once the file is back.
      await (await start()).stop();
      return `${code}: ${message.replaceAll(home, '')}`;
    }

    it.each([
      [
        'postgresql.conf',
        'this is no setting',
        /syntax error in file ".*\/postgresql\.conf" line \d+, near token "no"; /,
      ],
      ['postgresql.auto.conf', 'bufers = 1', /parameter "bufers" in file ".*\/postgresql\.auto\.conf" line \d+; /],
      [
        'postgresql.conf',
        'max_connections = lots',
        /"max_connections": "lots"; configuration file ".*\/postgresql\.conf"/,
      ],
      ['pg_hba.conf', 'everybody welcome', /"everybody"; line \d+ of configuration file ".*\/pg_hba\.conf"; /],
    ])('reports %s and the line %j, and no setting of ours', async (file, line, sentence) => {
      const text = await said(file, (path) => appendFile(path, `${line}\n`));
      expect(text).toMatch(/^JIG_DATABASE_SETTING_REFUSED: /);
      expect(text).toMatch(sentence);
      expect(text).not.toMatch(/serverSettings|\/proc|\.\./);
    });

    it.each([
      [
        'cut off',
        /damaged \(could not read file "global\/pg_control": read 100 of/,
        (path: string) => truncate(path, 100),
      ],
      ['missing', /damaged \(could not find the database system\)/, (path: string) => rm(path)],
      ['zeros', /damaged \([a-z][^)]+\)/, (path: string) => writeFile(path, Buffer.alloc(8192))],
    ])('reports what is damaged when pg_control is %s', async (_how, sentence, change) => {
      const text = await said('global/pg_control', change);
      expect(text).toMatch(/^JIG_DATABASE_DAMAGED: /);
      expect(text).toMatch(sentence);
    });
  });
});
