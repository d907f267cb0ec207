import { JigError, type JigErrorOptions } from '@jig/application';

/** What can go wrong in the clock, and what to do about it. */
export const clockErrors = {
  JIG_CLOCK_LOCALE_UNKNOWN: {
    when: '`clock.locale` names no locale that is offered, nor one near it.',
    fix: 'Give a language tag such as `de-CH`.',
  },
  JIG_CLOCK_ZONE_UNKNOWN: {
    when: '`clock.zone` names no time zone.',
    fix: 'Give an identifier such as `Europe/Zurich` or `GMT+05:30`.',
  },
} as const;

export function clockError(code: keyof typeof clockErrors, sentence: string, options?: JigErrorOptions): JigError {
  return new JigError(code, sentence, options);
}
