// For our own packages; anything here may change in any release.

export { hostSettings } from './configuration/host-settings.ts';
export { namedSettings } from './configuration/names.ts';
export { hasJigCode, startFailure } from './errors.ts';
export { toProblem } from './http/problem.ts';
