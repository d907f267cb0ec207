export { Clock } from './clock/clock.ts';
export { clockSettings } from './clock-settings.ts';
export { clockErrors } from './errors.ts';
export { clockFeature } from './feature.ts';
