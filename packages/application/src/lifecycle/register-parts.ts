import type { Feature } from '../add-ons/feature.ts';
import { attemptInTime, type Part } from '../add-ons/part.ts';
import type { Assembly } from './assembly.ts';
import type { LoadedParts } from './load-parts.ts';

/** How long a part may take for a step of its registration. */
interface Patience {
  readonly startTimeout: number;
}

const judging = { failure: 'threw in its condition', lateness: 'did not tell whether its condition is met' };
const registering = { failure: 'threw while it registered', lateness: 'did not register' };

/** Lets the features register, then the add-ons whose conditions are met. */
export async function registerParts(
  assembly: Assembly,
  features: readonly Feature[],
  { addOns, excluded }: LoadedParts,
  { startTimeout }: Patience,
): Promise<void> {
  const register = (part: Part, feature: Feature) =>
    attemptInTime(part, { ...registering, startTimeout }, () =>
      feature.register(assembly.registrationFor(part, feature)),
    );
  for (const feature of features) await register({ kind: 'feature', name: feature.name }, feature);
  for (const { name, version } of excluded) {
    assembly.addOns.report({ name, version, state: 'off', because: 'excluded by the setting addOns.exclude' });
  }
  for (const { manifest, addOn } of addOns) {
    const { name, version } = manifest;
    const part: Part = { kind: 'add-on', name };
    const condition = await attemptInTime(part, { ...judging, startTimeout }, () =>
      addOn.condition?.(assembly.contextFor(addOn)),
    );
    if (condition?.met !== false) await register(part, addOn);
    const state = condition?.met === false ? 'off' : 'on';
    assembly.addOns.report({ name, version, state, because: condition?.because ?? 'included by the application' });
  }
}
