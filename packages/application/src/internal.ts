// For our own packages; anything here may change in any release.
export { BoundedCache, type Evictable, evict } from './bounded-cache.ts';
export { settingsAsMarkdown } from './configuration/named-settings.ts';
export { hasJigCode, startFailure } from './errors.ts';
export { toProblem } from './http/problem.ts';
export { hostSettings } from './lifecycle/host-settings.ts';
export { localeChain } from './messages/locale-chain.ts';
export { Messages } from './messages/messages.ts';
