// For our own packages; anything here may change in any release.
export { mapAwaitable } from './awaitable.ts';
export { readSessionContent, type SessionContent } from './session-content.ts';
export { Sessions } from './sessions.ts';
