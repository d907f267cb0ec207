export {
  assetAnswer,
  beanAnswer,
  beanStream,
  createdAnswer,
  listAnswer,
  searchAnswer,
} from '../browser/browser-answers.ts';
export { changeWatch, watchAnswer, watchStream } from '../browser/watch/watch-answers.ts';
export { compareAnswer, patchAnswer } from '../compare/compare-answers.ts';
export { allAnswer } from '../compare/instances-answer.ts';
export { graphAnswer } from '../graph/graph-answer.ts';
export { neighboursPicture } from '../graph/neighbours.ts';
export { metricsAnswer } from '../readings/prometheus.ts';
