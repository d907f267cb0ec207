export { assetAnswer, beanAnswer, beanStream, listAnswer, searchAnswer } from './browser/browser-answers.ts';
export { compareAnswer, patchAnswer } from './compare/compare-resource.ts';
export { graphAnswer } from './graph/graph-resource.ts';
export { neighboursPicture } from './graph/neighbours.ts';
