// For our own packages; anything here may change in any release.
export { releaseChunk } from './chunks.ts';
export { matchIn } from './find.ts';
export { defaultDepth, defaultText } from './inspection-options.ts';
export type { LearnedTexts } from './masking/learned-texts.ts';
export { pointerTokens } from './walk/json-pointer.ts';
export { typeName } from './walk/reflection.ts';
export { learnedTexts } from './walk/secret-scan.ts';
export { outlineKinds } from './walk/shown-value.ts';
