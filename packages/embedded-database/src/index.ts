export type { DatabaseBeans } from './add-on.ts';
export type { ConnectionOptions, Dialect } from './connection/connection-options.ts';
export type { Database } from './database.ts';
export type { DatabaseErrorCode } from './errors.ts';
export { DatabasePool } from './pool/database-pool.ts';
export { DatabaseSessionStore } from './session-store/database-session-store.ts';
