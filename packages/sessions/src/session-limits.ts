import type { SessionLimits } from './session-store.ts';

/** What one session may hold, whatever the store. */
export const sessionLimits: SessionLimits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };
