import type { InspectErrorCode } from '../../../packages/inspect/src/errors.ts';
import { clumsyService } from './clumsy-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

export const inspectionErrorScenarios: Record<InspectErrorCode, ErrorScenario> = {
  JIG_INSPECTION_OPTION_INVALID: {
    names: /depth must be/,
    advises: /a whole number from 1/,
    run: async (sandbox) =>
      sandbox.failedRequest(await clumsyService(sandbox), '/depth', 'JIG_INSPECTION_OPTION_INVALID'),
  },
  JIG_INSPECTION_PART_MISSING: {
    names: /at leads to nothing in the inspected value/,
    advises: /look at the whole of it/,
    run: async (sandbox) => sandbox.failedRequest(await clumsyService(sandbox), '/part', 'JIG_INSPECTION_PART_MISSING'),
  },
};
