export { type ConnectedDatabase, connectDatabase } from './connect-database.ts';
export type { DatabaseAddress } from './connection/address.ts';
export type { DatabaseCopy, TestedDatabase } from './databases.ts';
export { DatabaseError, type DatabaseErrorCode } from './errors.ts';
export type { Migrations } from './migrations/run-migrations.ts';
export { type RunningDatabase, startDatabase } from './start-database.ts';
export type { StartDatabaseOptions } from './start-options.ts';
