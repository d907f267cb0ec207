export type { Clock } from './clock.ts';
export { clockFeature } from './feature.ts';
