import type { InspectErrorCode } from '../../../packages/inspect/src/errors.ts';
import type { Provocation, Seen, Stage } from './stage.ts';

/** A route of somebody who uses the library, with these options. */
async function inspecting(stage: Stage, options: string, code: InspectErrorCode): Promise<Seen> {
  const route = `server.get('/look', async () => inspect({ a: [1] }, ${options}).toString());`;
  const register = `const { inspect } = await import('@jig/inspect');
    host.routes(async (server) => { ${route} });`;
  const service = await stage.start(await stage.feature(register, ['@jig/inspect']));
  return stage.failedRequest(service, '/look', code);
}

export const inspectionProvocations: Record<InspectErrorCode, Provocation> = {
  JIG_INSPECTION_OPTION_INVALID: {
    names: /depth must be/,
    advises: /a whole number from 1/,
    provoke: (stage) => inspecting(stage, '{ depth: 0 }', 'JIG_INSPECTION_OPTION_INVALID'),
  },
  JIG_INSPECTION_PART_MISSING: {
    names: /at leads to nothing in the inspected value/,
    advises: /look at the whole of it/,
    provoke: (stage) => inspecting(stage, `{ at: '/a/7' }`, 'JIG_INSPECTION_PART_MISSING'),
  },
};
