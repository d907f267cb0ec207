export {
  hostNameOf,
  isCrossSite,
  isForThisMachine,
  isFromThisMachine,
  isLoopback,
  matchesEntityTag,
  pathOf,
} from './requests.ts';
