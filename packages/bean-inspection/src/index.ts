export { type InspectionErrorCode, inspectionErrors } from './errors.ts';
export { Inspection, inspect } from './inspect.ts';
export type { InspectionOptions } from './inspection-options.ts';
export { type MaskableEntry, Masking, type MaskingOptions } from './masking/masking.ts';
export { type InspectionSettings, inspectionSettings } from './settings.ts';
