// For our own packages: what a start needs. They have it in their own bundles, so that the rest is loaded when somebody looks.
export { defaultDepth, defaultText } from './inspection-options.ts';
export { pointerTokens } from './walk/pointer.ts';
export { typeName } from './walk/reflection.ts';
