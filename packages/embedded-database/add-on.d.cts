// The declarations of the ES module, since beans must not be declared twice.
import type * as addOn from './dist/add-on.js' with { 'resolution-mode': 'import' };

declare const definition: typeof addOn.default;
export default definition;
export declare const DatabasePool: typeof addOn.DatabasePool;
export type DatabasePool = addOn.DatabasePool;
export declare const DatabaseSessionStore: typeof addOn.DatabaseSessionStore;
export type DatabaseSessionStore = addOn.DatabaseSessionStore;
export type ConnectionOptions = addOn.ConnectionOptions;
export type Database = addOn.Database;
export type DatabaseBeans = addOn.DatabaseBeans;
export type DatabaseErrorCode = addOn.DatabaseErrorCode;
