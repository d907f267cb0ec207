// For our own packages; anything here may change in any release.

export { startDeadline, tooLate } from './deadline.ts';
export { ServerClock } from './server-clock.ts';
export { readSessionContent, type SessionContent } from './session.ts';
export { checkStore, Sessions } from './session-manager.ts';
