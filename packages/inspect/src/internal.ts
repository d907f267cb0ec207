// For our own packages; anything here may change in any release.
export { maxSliceMs, releaseChunk } from './chunks.ts';
export { matchIn, OpenSearch } from './find.ts';
export { defaultDepth, defaultText } from './inspection-options.ts';
export { maskMark } from './masking/secrets.ts';
export { pointerTo, pointerTokens } from './walk/json-pointer.ts';
export { typeName } from './walk/reflection.ts';
export { outlineKinds } from './walk/shown-value.ts';
