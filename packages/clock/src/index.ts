export type { Clock } from './clock/clock.ts';
export { clockFeature } from './feature.ts';
