// For our own packages; anything here may change in any release.
export { Assets } from './assets/assets.ts';
export { BoundedCache } from './bounded-cache.ts';
export { settingsAsMarkdown } from './configuration/describe-settings.ts';
export { errorMessage, hasJigCode } from './errors.ts';
export { hostNameOf, isForThisMachine, isFromThisMachine, isLoopback } from './http/local-requests.ts';
export { appendHeader, preferredEncoding, preferredMediaType, weightedElements } from './http/negotiation.ts';
export { isCrossSite } from './http/other-sites.ts';
export { escapeHtml, plainPalette } from './http/plain-page.ts';
export { hasSendHooks, PreparedResponse } from './http/prepared-response.ts';
export { minimalCsp, securityHeadersFor } from './http/security-headers.ts';
export { type Evictable, evict } from './let-go.ts';
export { hostSettings } from './lifecycle/host-settings.ts';
export { makeFolder } from './make-folder.ts';
export { localeChain } from './messages/locale-chain.ts';
export { Messages } from './messages/messages.ts';
export { writeSecretFile } from './write-secret-file.ts';
