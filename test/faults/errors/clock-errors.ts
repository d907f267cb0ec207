import type { clockErrors } from '../../../packages/clock/src/errors.ts';
import { withoutDatabase as environment } from '../../support/start-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

export const clockErrorScenarios: Record<keyof typeof clockErrors, ErrorScenario> = {
  JIG_CLOCK_LOCALE_UNKNOWN: {
    names: /no locale "klingon", which clock\.locale asks for/,
    advises: /a language tag such as de-CH/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--clock.locale=klingon'] }),
  },
  JIG_CLOCK_ZONE_UNKNOWN: {
    names: /no time zone "Mars\/Olympus", which clock\.zone asks for/,
    advises: /an identifier such as Europe\/Zurich/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--clock.zone=Mars/Olympus'] }),
  },
};
