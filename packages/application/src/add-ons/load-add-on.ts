import { hostError, JigError, reasonOf } from '../errors.ts';
import { importModule } from '../import-module.ts';
import type { AddOnManifest } from './add-on-manifest.ts';
import type { AddOn } from './feature.ts';

/** Loads the module of an add-on. Whatever it throws is reported under the add-on's name. */
export async function loadAddOn({ name, module, section }: AddOnManifest): Promise<AddOn> {
  const loaded = await attempt(
    name,
    'could not be loaded',
    async () => (await importModule<{ default?: unknown }>(module.href)).default,
  );
  if (!isAddOn(loaded)) {
    throw unusable(name, 'has no default export made by defineAddOn');
  }
  if (loaded.section !== section) {
    throw unusable(name, `reads the section ${loaded.section} but its package.json says ${section}`);
  }
  return loaded;
}

/** Runs a step of an add-on, so that a failure names the add-on; one with a code says by itself what is wrong. */
export async function attempt<Result>(
  name: string,
  failure: string,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof JigError) throw error;
    throw unusable(name, `${failure}: ${reasonOf(error)}`, error);
  }
}

function isAddOn(value: unknown): value is AddOn {
  const { name, register } = (value ?? {}) as Partial<AddOn>;
  return typeof name === 'string' && typeof register === 'function';
}

function unusable(name: string, why: string, cause?: unknown) {
  const sentence = `The add-on ${name} ${why} (addOns.exclude leaves it out)`;
  return hostError('JIG_ADD_ON_UNUSABLE', sentence, { cause, fields: { addOn: name } });
}
