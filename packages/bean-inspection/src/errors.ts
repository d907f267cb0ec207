import { JigError, type JigErrorOptions } from '@jig/application';

/** What can go wrong when something is inspected, and what to do about it. `docs/errors.md` is written from this. */
export const inspectionErrors = {
  JIG_INSPECTION_OPTION_INVALID: {
    when: 'An option of `inspect` has a value that makes no sense.',
    mend: 'Give a value as the message describes.',
  },
  JIG_INSPECTION_PART_MISSING: {
    when: 'The JSON Pointer `at` leads to nothing in the inspected value.',
    mend: 'Look at the whole value, and point at something that is in it.',
  },
} as const;

export type InspectionErrorCode = keyof typeof inspectionErrors;

/** An error of ours, whose code must be in the catalogue above. */
export function inspectionError(code: InspectionErrorCode, sentence: string, options?: JigErrorOptions): JigError {
  return new JigError(code, sentence, options);
}
