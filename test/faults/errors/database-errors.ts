import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Application } from '@jig/application';
import { type StartDatabaseOptions, startDatabase } from '@jig/embedded-database';
import { databaseAddress } from '../../../packages/embedded-database/src/connection/address.ts';
import type { DatabaseErrorCode } from '../../../packages/embedded-database/src/errors.ts';
import { SmallDisk } from '../../../packages/embedded-database/test-fixtures/small-disk.ts';
import type { InProcessOptions } from '../../support/in-process.ts';
import { copyInitialisedHome } from '../../support/initialised-home.ts';
import { databasePid } from '../database-pid.ts';
import { type ErrorScenario, type Sandbox, type Seen, shared } from './error-scenario.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const embeddedDatabase = { dependencies: ['@jig/embedded-database'] };

/** A start that fails, with these flags, over what the sandbox has in its home. */
async function failing(sandbox: Sandbox, options: InProcessOptions): Promise<Seen> {
  return sandbox.failedStart({ ...(await sandbox.application(embeddedDatabase)), ...options });
}

/** An application in this process with a database that was initialised before. */
async function running(sandbox: Sandbox, home = sandbox.home): Promise<Application> {
  await copyInitialisedHome(home);
  return (await sandbox.startInProcess({ ...(await sandbox.application(embeddedDatabase)), home })).application;
}

const poolOf = async (application: Application) => (await application.beans.get('databasePool')).postgresql();

const addressOf = async (application: Application) =>
  databaseAddress((await application.beans.get('database')).connection()).url;

const damage = (sandbox: Sandbox) =>
  writeFile(join(sandbox.home, 'database', 'postgresql', 'global', 'pg_control'), Buffer.alloc(8192, 7));

/** Something in the place of the data, with its password. */
async function data(sandbox: Sandbox, file: string, content: string): Promise<void> {
  const written = await sandbox.write(`home/database/postgresql/${file}`, content);
  if (isRoot) await chown(join(written, '..'), nobody, nobody);
  await sandbox.write('home/database/postgresql.password', 'x'.repeat(43));
}

/** Programs in the place of PostgreSQL's own, as lines of a shell; gives their folder. */
async function programs(sandbox: Sandbox, { server = '', initdb = '' }): Promise<string> {
  const version = 'echo "postgres (PostgreSQL) 16.1"';
  const asked = `case "$*" in *--version*) ${version};; *--single*) cat > /dev/null;; *) ${server || ':'};; esac`;
  const path = await sandbox.write('bin/postgres', `#!/bin/sh\n${asked}\n`, 0o755);
  await sandbox.write('bin/initdb', `#!/bin/sh\necho 16 > "$2/PG_VERSION"\n${initdb}\n`, 0o755);
  return join(path, '..');
}

async function smallDisk(sandbox: Sandbox, megabytes: number): Promise<SmallDisk> {
  const disk = await SmallDisk.mount(join(sandbox.folder, 'small'), megabytes, sandbox.skip);
  sandbox.finally(() => disk.unmount());
  return disk;
}

async function listeningPort(sandbox: Sandbox): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  sandbox.finally(async () => other.close());
  return (other.address() as { port: number }).port;
}

/** What somebody sees who has no host: this fails. */
async function failed(use: Promise<unknown>): Promise<Seen> {
  const { code, message } = await use.then(
    (): { code?: string; message: string } => new Error('Nothing failed.'),
    (error: { code?: string; message: string }) => error,
  );
  return { code, text: message };
}

/** A start without a host, with these options. */
const failedAlone = (options: StartDatabaseOptions) =>
  failed(startDatabase(options).then((database) => database.stop()));

/** Where the log stays that the message names. */
const inFolder = (sandbox: Sandbox) => ({ folder: join(sandbox.folder, 'kept') });

/** A database that runs without a host. */
const database = shared(async (sandbox) => {
  const started = await startDatabase();
  sandbox.finally(() => started.stop());
  return started;
});

export const databaseErrorScenarios: Record<DatabaseErrorCode, ErrorScenario | readonly ErrorScenario[]> = {
  JIG_DATABASE_FOLDER_HELD: {
    names: /home\/database is in use by the process \d+/,
    advises: /Stop that one first, or choose another folder \(JIG_HOME\)/,
    async run(sandbox) {
      await running(sandbox);
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_FOLDER_UNUSABLE: [
    {
      names: /database folder .*\/home\/database cannot be used: /,
      advises: /choose another \(JIG_HOME\)/,
      async run(sandbox) {
        await sandbox.write('home/database', '');
        return failing(sandbox, {});
      },
    },
    {
      title: 'server.json is a folder',
      names: /home\/database cannot be used: .*\/server\.json is a folder, but must be a file/,
      advises: /Move it away/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await sandbox.write('home/database/server.json/note.txt', 'Dear Ann');
        return failing(sandbox, {});
      },
    },
    {
      title: 'it belongs to somebody else',
      names: /may not use its folder .*\/home\/database\/postgresql: could not .*: Permission denied/,
      advises: /Change its owner or rights, or the user that the server runs as \(database\.user, runAs\)/,
      asRoot: true,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await chown(join(sandbox.home, 'database', 'postgresql'), 0, 0);
        return failing(sandbox, {});
      },
    },
  ],
  JIG_DATABASE_VERSION_DIFFERS: {
    names: /was written by PostgreSQL 14, but this is PostgreSQL 18/,
    advises: /dump it with the old version/,
    async run(sandbox) {
      await data(sandbox, 'PG_VERSION', '14\n');
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_DAMAGED: {
    names: /home\/database\/postgresql is damaged \(database files are incompatible with server\)/,
    advises: /restore the folder from a backup/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      await damage(sandbox);
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_PASSWORD_WRONG: [
    {
      names: /PostgreSQL .* does not accept the password in .*\/home\/database\/postgresql\.password/,
      advises: /Restore that file from the backup that the data is from/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await sandbox.write('home/database/postgresql.password', 'x'.repeat(43));
        return failing(sandbox, {});
      },
    },
    {
      title: 'its file is empty',
      names: /password is missing in .*\/postgresql\.password/,
      advises: /Restore that file from a backup/,
      async run(sandbox) {
        await data(sandbox, 'PG_VERSION', '18\n');
        await sandbox.write('home/database/postgresql.password', '');
        return failing(sandbox, {});
      },
    },
  ],
  JIG_DATABASE_PORT_TAKEN: {
    names: /port \d+ for the database is taken/,
    advises: /Choose another/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      return failing(sandbox, { flags: [`--database.port=${await listeningPort(sandbox)}`] });
    },
  },
  JIG_DATABASE_DISK_FULL: {
    names: /The disk that holds the database at postgresql:\S* is full/,
    advises: /free some space/,
    async run(sandbox) {
      const disk = await smallDisk(sandbox, 100);
      const application = await running(sandbox, join(disk.folder, 'home'));
      const pool = await poolOf(application);
      await pool.query('DROP TABLE jig_session');
      // The server itself ends when its log has no room: so that begins a new file, which is there before the disk is full.
      await pool.query('SELECT pg_switch_wal()');
      await pool.query('CHECKPOINT');
      await disk.fill();
      return failing(sandbox, { environment: { DATABASE_URL: await addressOf(application) } });
    },
  },
  JIG_DATABASE_SERVER_UNAVAILABLE: {
    names: /PostgreSQL does not run on this machine: .*libssl is missing: not found/,
    advises: /Install what is missing/,
    run: async (sandbox) =>
      failedAlone({
        programs: await programs(sandbox, { initdb: 'echo libssl is missing: not found >&2; exit 127' }),
      }),
  },
  JIG_DATABASE_USER_UNKNOWN: {
    names: /user "mrs-nobody" for the server \(database\.user, runAs\) does not exist here/,
    advises: /Name one that does/,
    asRoot: true,
    run: (sandbox) => failing(sandbox, { flags: ['--database.user=mrs-nobody'] }),
  },
  JIG_DATABASE_SETTING_REFUSED: {
    names: /setting "shared_bufers" \(database\.serverSettings, settings\)/,
    advises: /Correct or remove it/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      return failing(sandbox, { flags: ['--database.serverSettings=shared_bufers=1MB'] });
    },
  },
  JIG_DATABASE_START_FAILED: [
    {
      names: /did not start \(exit code 1\)\. It said: FATAL: could not access file "nothing"/,
      advises: /more in .*\/server\.log/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        return failing(sandbox, { flags: ['--database.serverSettings=shared_preload_libraries=nothing'] });
      },
    },
    {
      title: 'a new database',
      names: /A new database could not be made \(exit code 5\)\. It said: the stars are wrong/,
      advises: /more in .*\/server\.log/,
      run: async (sandbox) =>
        failedAlone({
          ...inFolder(sandbox),
          programs: await programs(sandbox, { initdb: 'echo the stars are wrong; exit 5' }),
        }),
    },
    {
      title: 'it takes too long',
      names: /PostgreSQL 16\.1 was not ready within 1 s/,
      advises: /startTimeout/,
      run: async (sandbox) =>
        failedAlone({
          ...inFolder(sandbox),
          programs: await programs(sandbox, { server: 'exec sleep 60' }),
          startTimeout: 1000,
        }),
    },
  ],
  JIG_DATABASE_STOPPED: {
    names: /PostgreSQL 16\.1 was stopped while it started/,
    async run(sandbox) {
      const stop = new AbortController();
      const log = (line: string) => void (line.startsWith('starting') && stop.abort());
      return failedAlone({
        programs: await programs(sandbox, { server: 'exec sleep 60' }),
        signal: stop.signal,
        log,
      });
    },
  },
  JIG_DATABASE_ADDRESS_INVALID: {
    names: /address of the database in DATABASE_URL cannot be used/,
    advises: /must begin with postgres:\/\//,
    run: (sandbox) => failing(sandbox, { environment: { DATABASE_URL: 'http://me:open-sesame@localhost' } }),
  },
  JIG_DATABASE_UNREACHABLE: {
    names: /database at postgresql:\/\/127\.0\.0\.1:1\/notes\?user=me of DATABASE_URL cannot be used/,
    advises: /Check that it runs/,
    run: (sandbox) =>
      failing(sandbox, { environment: { DATABASE_URL: 'postgres://me:open-sesame@127.0.0.1:1/notes' } }),
  },
  JIG_DATABASE_NOT_READY: {
    names: /PostgreSQL is (?:re)?starting/,
    advises: /try again when \/health says/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      const register = `host.routes(async (server) => {
        server.get('/available', async () => { (await host.beans.get('database')).assertAvailable(); });
      });`;
      const options = await sandbox.feature(register, embeddedDatabase.dependencies);
      const service = await sandbox.start({ ...options, environment: { JIG_LOG_LEVEL: 'debug' } });
      const server = await databasePid(service);
      await damage(sandbox);
      process.kill(server, 'SIGKILL');
      await service.printed(/is restarted/);
      return sandbox.postponedRequest(service, '/available', 'JIG_DATABASE_NOT_READY');
    },
  },
  JIG_DATABASE_OPTION_INVALID: {
    names: /folder .*\/missing given as migrations is not there/,
    run: (sandbox) => failedAlone({ migrations: join(sandbox.folder, 'missing') }),
  },
  JIG_DATABASE_MIGRATION_FAILED: {
    names: /002\.sql failed at line 4: .*"missing" does not exist/,
    async run(sandbox) {
      await sandbox.write('migrations/001.sql', 'create table notes (text text);\n');
      const file = await sandbox.write('migrations/002.sql', '-- Fills.\nselect 1;\nselect *\nfrom missing;\n');
      return failedAlone({ migrations: join(file, '..') });
    },
  },
  JIG_DATABASE_EXISTS: {
    names: /There is a database "jig" already/,
    advises: /Choose another name/,
    run: async (sandbox) => failed((await database(sandbox)).create('jig')),
  },
  JIG_DATABASE_TEMPLATE_UNUSABLE: {
    names: /There is no database "missing" to clone/,
    run: async (sandbox) => failed((await database(sandbox)).clone('missing')),
  },
};
