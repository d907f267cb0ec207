import type { clockErrors } from '../../../packages/clock/src/errors.ts';
import { withoutDatabase as environment } from '../../support/start-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

export const clockErrorScenarios: Record<keyof typeof clockErrors, ErrorScenario> = {
  JIG_CLOCK_LOCALE_UNKNOWN: {
    names: /clock\.locale is "klingon", which is not a supported locale/,
    advises: /a language tag such as de-CH/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--clock.locale=klingon'] }),
  },
  JIG_CLOCK_ZONE_UNKNOWN: {
    names: /clock\.zone is "Mars\/Olympus", which is not a time zone/,
    advises: /an identifier such as Europe\/Zurich/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--clock.zone=Mars/Olympus'] }),
  },
};
