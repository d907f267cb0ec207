// For our own packages: what a start needs. They bundle it, so that the rest is loaded at the first request.
export { defaultDepth, defaultText } from './inspection-options.ts';
export { typeName } from './objects/reflection.ts';
export { pointerTokens } from './walk/pointer.ts';
