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
export { snapshotLimits, snapshotsOf } from '../compare/snapshots.ts';
export { graphAnswer } from '../graph/graph-answer.ts';
export { neighboursPicture } from '../graph/neighbours.ts';
export { peerInstances } from '../instances/peers.ts';
export { answerForBeans, wantedInstance } from '../mcp/endpoint.ts';
export { metricsAnswer } from '../readings/prometheus.ts';
export { recorderOf, recordProcess } from '../watch/recording.ts';
export { passedAnswer } from './passed-answer.ts';
export { pinned } from './pinned-answer.ts';
export { answerBySnapshot } from './snapshot-holder.ts';
