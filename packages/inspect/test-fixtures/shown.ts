import { inspect } from '../src/inspect.ts';
import type { InspectionOptions } from '../src/inspection-options.ts';

/** The document of a value. */
export const written = (value: unknown, options: InspectionOptions = {}): string => inspect(value, options).toString();

/** The same, as data. */
export const shown = (value: unknown, options: InspectionOptions = {}): unknown => JSON.parse(written(value, options));
