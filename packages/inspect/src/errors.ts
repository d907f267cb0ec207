import { CodedError } from '@jig/http/coded-error';

/** The catalogue of errors of `inspect`, from which `docs/errors.md` is generated. */
export const inspectErrors = {
  JIG_INSPECTION_OPTION_INVALID: {
    when: 'An option of `inspect` has a wrong value.',
    fix: 'Give one as the message describes.',
  },
  JIG_INSPECTION_PART_MISSING: {
    when: 'The JSON Pointer `at` leads to nothing, or to an entry that was not reached in time.',
    fix: 'Look at the whole value first.',
  },
} as const;

export type InspectErrorCode = keyof typeof inspectErrors;

/** An error of `inspect`, with a code of the catalogue above. */
export class InspectError extends CodedError<InspectErrorCode> {
  override readonly name = 'InspectError';
}
