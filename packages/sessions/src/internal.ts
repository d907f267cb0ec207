// For our own packages; anything here may change in any release.

export { startDeadline } from './deadline.ts';
export { readSessionContent, type SessionContent } from './session.ts';
export { Sessions } from './session-manager.ts';
export { mapAwaitable } from './session-store.ts';
