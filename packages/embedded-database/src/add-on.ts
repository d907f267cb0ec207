import { resolve } from 'node:path';
import { defineAddOn, type Registration } from '@jig/application';
import { type Database, ExternalDatabase } from './add-on/database.ts';
import { DatabasePool } from './add-on/database-pool.ts';
import { databaseView, poolView } from './add-on/database-views.ts';
import { DatabaseSessionStore } from './add-on/session-store.ts';
import { databaseSettings } from './add-on/settings.ts';
import { parseAddress } from './connection/address.ts';
import { errorMessage } from './errors.ts';
import { EmbeddedDatabase } from './server/embedded-database.ts';
import { requirePrograms } from './server/programs.ts';
import { runAs } from './server/run-as.ts';

/** The beans of this add-on, by name. */
export interface DatabaseBeans {
  readonly database: Database;
  readonly databasePool: DatabasePool;
  readonly databaseSessionStore: DatabaseSessionStore;
}

declare module '@jig/application' {
  interface BeanTypes extends DatabaseBeans {}
}

export type { Database } from './add-on/database.ts';
export type { ConnectionOptions } from './connection/address.ts';
export type { DatabaseErrorCode } from './errors.ts';
export { DatabasePool, DatabaseSessionStore };

/** Added to the start timeout of the server, so that its own error comes first. */
const startMargin = 15_000;
/** Covers all stop steps of the server and the kill that follows them. */
const stopTimeout = 12_000;

export default defineAddOn({
  name: '@jig/embedded-database',
  section: 'database',
  settings: databaseSettings,
  needs: ['database'],

  async condition({ settings: { url, user } }) {
    if (url !== undefined) return { met: true, because: 'DATABASE_URL names a database' };
    const why = await unavailableReason(user);
    return why === undefined
      ? { met: true, because: 'the server of PostgreSQL is there' }
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
        // A separate pool, so that long queries of the application do not delay sessions.
        const pool = { size: sessionPoolSize, connectTimeout, queryTimeout: sessionQueryTimeout };
        return new DatabaseSessionStore(beans.database, new DatabasePool(beans.database, pool), startTimeout / 2);
      },
      start: (bean) => bean.start(),
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
async function unavailableReason(user: string): Promise<string | undefined> {
  try {
    await requirePrograms({}, await runAs(user));
    return undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'JIG_DATABASE_USER_UNKNOWN' && user !== databaseSettings.user.default) throw error;
    return errorMessage(error);
  }
}

function createDatabase(host: Registration<typeof databaseSettings, 'database'>): Database {
  const { settings, workingDirectory, home, log } = host;
  const { url, port, user, persistent, serverSettings, startTimeout } = settings;
  if (url !== undefined) {
    const connection = parseAddress(url, process.env);
    host.secret(connection.password);
    return new ExternalDatabase(connection, settings);
  }
  return new EmbeddedDatabase({
    home: resolve(workingDirectory, home, 'database'),
    port,
    user,
    temporary: !persistent,
    settings: serverSettings,
    startTimeout,
    log,
    onSecret: (secret) => host.secret(secret),
  });
}
