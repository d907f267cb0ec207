import { resolve } from 'node:path';
import { defineAddOn, type Registration } from '@jig/application';
import { parseAddress } from './connection/connection-options.ts';
import type { Database } from './database.ts';
import { databaseView, poolView } from './database-views.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { errorMessage } from './errors.ts';
import { ExternalDatabase } from './external-database.ts';
import { DatabasePool } from './pool/database-pool.ts';
import { DatabaseSessionStore } from './session-store/database-session-store.ts';
import { type DatabaseSettings, databaseSettings } from './settings.ts';
import { engines } from './start-options.ts';
import { runAs } from './supervisor/run-as.ts';

/** The beans of this add-on, by name. */
export interface DatabaseBeans {
  readonly database: Database;
  readonly databasePool: DatabasePool;
  readonly databaseSessionStore: DatabaseSessionStore;
}

declare module '@jig/application' {
  interface BeanTypes extends DatabaseBeans {}
}

export type { ConnectionOptions, Dialect } from './connection/connection-options.ts';
export type { Database } from './database.ts';
export type { DatabaseErrorCode } from './errors.ts';
export { DatabasePool, DatabaseSessionStore };

const names = { postgresql: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' } as const;

/** Added to the start time-out of the server, so that its own error is reported and not ours. */
const startMargin = 15_000;
/** Covers all stop steps of the server and the kill that follows them. */
const stopTimeout = 12_000;

export default defineAddOn({
  name: '@jig/embedded-database',
  section: 'database',
  settings: databaseSettings,
  needs: ['database'],

  async condition({ settings: { url, engine, user } }) {
    if (url !== undefined) return { met: true, because: 'DATABASE_URL names a database' };
    const why = await whyNot(engine, user);
    return why === undefined
      ? { met: true, because: `the server of ${names[engine]} is there` }
      : { met: false, because: why };
  },

  register(host) {
    const { url, connectTimeout, poolSize, queryTimeout, sessionPoolSize, sessionQueryTimeout, startTimeout } =
      host.settings;
    host.define('database', {
      type: url === undefined ? 'EmbeddedDatabase' : 'ExternalDatabase',
      create: () => createDatabase(host),
      start: (bean, signal) => bean.start(signal),
      stop: (bean) => bean.stop(),
      startTimeout: startTimeout + startMargin,
      stopTimeout,
    });
    host.define('databasePool', {
      type: 'DatabasePool',
      needs: ['database'],
      create: (beans) => new DatabasePool(beans.database, { size: poolSize, connectTimeout, queryTimeout }),
      start: (bean) => bean.start(),
      stop: (bean) => bean.stop(),
    });
    host.define('databaseSessionStore', {
      type: 'DatabaseSessionStore',
      needs: ['database'],
      create: (beans) => {
        const options = { migrationTimeout: Math.ceil(startTimeout / 2), log: host.log };
        // A pool of its own: long queries of the application must not delay sessions, and may take longer than they.
        const pool = { size: sessionPoolSize, connectTimeout, queryTimeout: sessionQueryTimeout };
        return new DatabaseSessionStore(beans.database, new DatabasePool(beans.database, pool), options);
      },
      start: (bean, signal) => bean.start(signal),
      stop: (bean) => bean.stop(),
      startTimeout: startTimeout + startMargin,
    });
    host.view(databaseView);
    host.view(poolView);
    host.sessionStore({ name: 'database', priority: 10, bean: 'databaseSessionStore' });
    host.health('database', ({ database }) => database.health());
  },
});

/** Without the default user the add-on stays off; a configured user that does not exist is an error. */
async function whyNot(engine: DatabaseSettings['engine'], user: string): Promise<string | undefined> {
  try {
    return await engines[engine].unavailable(await runAs(user));
  } catch (error) {
    if (user !== databaseSettings.user.default) throw error;
    return errorMessage(error);
  }
}

function createDatabase(host: Registration<typeof databaseSettings, 'database'>): Database {
  const { settings, workingDirectory, home, log } = host;
  const { url, engine, port, socketFolder, user, persistent, serverSettings, startTimeout, probeInterval } = settings;
  if (url !== undefined) {
    const connection = parseAddress(url, process.env);
    host.secret(connection.password);
    return new ExternalDatabase(connection, settings);
  }
  return new EmbeddedDatabase({
    engine: engines[engine],
    home: resolve(workingDirectory, settings.home ?? `${home}/database`),
    ...(socketFolder === undefined ? {} : { socketFolder: resolve(workingDirectory, socketFolder) }),
    port,
    user,
    temporary: !persistent,
    settings: serverSettings,
    startTimeout,
    probeInterval,
    log,
    onSecret: (secret) => host.secret(secret),
  });
}
