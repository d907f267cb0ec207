import { JigError, type JigErrorOptions } from '@jig/application';

/** The catalogue of clock errors. */
export const clockErrors = {
  JIG_CLOCK_LOCALE_UNKNOWN: {
    when: '`clock.locale` is not near any supported locale.',
    fix: 'Use a language tag such as `de-CH`.',
  },
  JIG_CLOCK_ZONE_UNKNOWN: {
    when: '`clock.zone` is not a time zone.',
    fix: 'Use an identifier such as `Europe/Zurich` or `GMT+05:30`.',
  },
} as const;

export function clockError(code: keyof typeof clockErrors, sentence: string, options?: JigErrorOptions): JigError {
  return new JigError(code, sentence, options);
}
