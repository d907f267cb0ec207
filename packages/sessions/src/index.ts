export type { Awaitable } from './awaitable.ts';
export { Batcher, type BatcherOptions } from './batcher.ts';
export { SessionError, type SessionErrorCode, sessionErrors } from './errors.ts';
export { MemorySessionStore, type MemorySessionStoreOptions } from './memory-session-store.ts';
export { attributesSize, type MergedAttributes, mergeAttributes } from './merge-attributes.ts';
export type { Session } from './session.ts';
export { SessionManager, type SessionManagerOptions } from './session-manager.ts';
export { type SessionPluginOptions, sessionPlugin as default, sessionPlugin } from './session-plugin.ts';
export type {
  MergeOutcome,
  SessionAttributes,
  SessionLimits,
  SessionRecord,
  SessionStore,
} from './session-store.ts';
export { fromStorableText, toStorableText } from './storable-text.ts';
