// For our own packages; anything here may change in any release.
// What index.ts exports is here again, so that they load one file in place of two.
export { InspectError } from './errors.ts';
export { find, matchIn, OpenSearch } from './find.ts';
export {
  type CodeLocation,
  type FunctionDetails,
  InnerSession,
  readPrivateFields,
  type Scope,
} from './inner-session.ts';
export { Inspection, inspect, joinUpTo, learnedBy } from './inspect.ts';
export { defaultDepth, defaultText, defaultViews, maxSliceMs } from './inspection-options.ts';
export type { LearnedTexts } from './masking/learned-texts.ts';
export { hidesScalar, Masking } from './masking/masking.ts';
export { isJson, maskMark, Secrets } from './masking/secrets.ts';
export { mayHavePrivateFields, type PrivateFieldsOf } from './objects/private-fields.ts';
export { dataProperty, findProperty, inheritsFrom, ownProperty, typeName } from './objects/reflection.ts';
export { outline } from './outline.ts';
export { ask } from './views/ask.ts';
export { builtInViews } from './views/built-in-views.ts';
export { contentBy } from './views/content.ts';
export { glance, labelOf, scaled, viewOf } from './views/glance.ts';
export { type MetricFacts, metrics } from './views/metrics.ts';
export { type Quantity, type QuantityOptions, quantityAt, quantityOf } from './views/quantity.ts';
export { stateOf } from './views/state-line.ts';
export type { View } from './views/view.ts';
export { pointerTo, pointerTokens } from './walk/pointer.ts';
