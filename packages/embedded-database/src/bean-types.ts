import type { Database } from './database.ts';
import type { DatabasePool } from './pool/database-pool.ts';
import type { DatabaseSessionStore } from './session-store/database-session-store.ts';

/** The beans of this add-on, by name. */
export interface DatabaseBeans {
  readonly database: Database;
  readonly databasePool: DatabasePool;
  readonly databaseSessionStore: DatabaseSessionStore;
}

declare module '@jig/application' {
  interface BeanTypes extends DatabaseBeans {}
}
