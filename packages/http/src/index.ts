export { appendHeader, preferredEncoding, preferredMediaType, weightedElements } from './negotiation.ts';
export { escapeHtml, type PlainPageLink, plainPagePolicy, renderPlainPage } from './plain-page.ts';
export {
  hostNameOf,
  isCrossSite,
  isForThisMachine,
  isFromThisMachine,
  isLoopback,
  type Peer,
  pathOf,
  type RequestHead,
} from './requests.ts';
export { writeSecretFile } from './secret-file.ts';
export { contentSecurityPolicy, securityHeaders } from './security-headers.ts';
