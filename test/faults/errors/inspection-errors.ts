import type { InspectErrorCode } from '../../../packages/inspect/src/errors.ts';
import type { ErrorScenario, Sandbox, Seen } from './error-scenario.ts';

/** A route of somebody who uses the library, with these options. */
async function inspecting(sandbox: Sandbox, options: string, code: InspectErrorCode): Promise<Seen> {
  const route = `server.get('/look', async () => inspect({ a: [1] }, ${options}).toString());`;
  const register = `const { inspect } = await import('@jig/inspect');
    host.routes(async (server) => { ${route} });`;
  const service = await sandbox.start(await sandbox.feature(register, ['@jig/inspect']));
  return sandbox.failedRequest(service, '/look', code);
}

export const inspectionErrorScenarios: Record<InspectErrorCode, ErrorScenario> = {
  JIG_INSPECTION_OPTION_INVALID: {
    names: /depth must be/,
    advises: /a whole number from 1/,
    run: (sandbox) => inspecting(sandbox, '{ depth: 0 }', 'JIG_INSPECTION_OPTION_INVALID'),
  },
  JIG_INSPECTION_PART_MISSING: {
    names: /at leads to nothing in the inspected value/,
    advises: /look at the whole of it/,
    run: (sandbox) => inspecting(sandbox, `{ at: '/a/7' }`, 'JIG_INSPECTION_PART_MISSING'),
  },
};
