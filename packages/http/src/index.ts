export { appendHeader, preferredEncoding, preferredMediaType, weightedElements } from './negotiation.ts';
export {
  hostNameOf,
  isCrossSite,
  isForThisMachine,
  isFromThisMachine,
  isLoopback,
  matchesEntityTag,
  pathOf,
} from './requests.ts';
