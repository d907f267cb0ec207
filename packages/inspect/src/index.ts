export { InspectError, type InspectErrorCode } from './errors.ts';
export { type FindHit, type FindOptions, type FindResult, find } from './find.ts';
export { Inspection, inspect } from './inspect.ts';
export type { InspectionOptions } from './inspection-options.ts';
export { type MaskableEntry, Masking, type MaskingOptions } from './masking/masking.ts';
export { Secrets } from './masking/secrets.ts';
export { type Outline, type OutlineEntry, type OutlineKind, type OutlineOptions, outline } from './outline.ts';
