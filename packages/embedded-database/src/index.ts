export type { DatabaseBeans } from './bean-types.ts';
export type { Database } from './database.ts';
export type { ConnectionOptions, Dialect } from './engines/engine.ts';
export type { DatabaseErrorCode } from './errors.ts';
export { DatabasePool } from './pool/database-pool.ts';
export { DatabaseSessionStore } from './session-store/database-session-store.ts';
