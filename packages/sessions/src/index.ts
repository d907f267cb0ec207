export {
  attributesSize,
  fromStorableText,
  type MergedAttributes,
  mergeAttributes,
  toStorableText,
} from './attributes.ts';
export { assertInTime } from './deadline.ts';
export { DamagedSessionError, SessionError, type SessionErrorCode } from './errors.ts';
export { MemorySessionStore, type MemorySessionStoreOptions } from './memory-session-store.ts';
export type { Session } from './session.ts';
export { SessionManager, type SessionManagerOptions } from './session-manager.ts';
export { type SessionPluginOptions, sessionPlugin as default, sessionPlugin } from './session-plugin.ts';
export type {
  Awaitable,
  MergeOptions,
  MergeOutcome,
  SessionAttributes,
  SessionLimits,
  SessionRecord,
  SessionStore,
} from './session-store.ts';
