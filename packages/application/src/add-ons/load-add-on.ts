import type { AddOnManifest } from './add-on-manifest.ts';
import { attempt, type Part, unusable } from './attempt.ts';
import type { AddOn } from './feature.ts';

/** Loads the module of an add-on. Whatever it throws is reported under the add-on's name. */
export async function loadAddOn({ name, module, section }: AddOnManifest): Promise<AddOn> {
  const part: Part = { kind: 'add-on', name };
  const loaded = await attempt(part, 'could not be loaded', async () => (await import(module.href)).default as unknown);
  if (!isAddOn(loaded)) {
    throw unusable(part, 'has no default export made by defineAddOn');
  }
  if (loaded.section !== section) throw unusable(part, differingSections(loaded.section, section));
  return loaded;
}

/** Says what to write, since the package.json must tell the section too. */
function differingSections(read: string | undefined, told: string | undefined): string {
  const tells = told === undefined ? 'names none' : `says ${JSON.stringify(told)}`;
  return read === undefined
    ? `reads no section, but "jig" in its package.json ${tells}; remove "section" there`
    : `reads the section ${read}, but "jig" in its package.json ${tells}; write "section": ${JSON.stringify(read)} there`;
}

function isAddOn(value: unknown): value is AddOn {
  const { name, register } = (value ?? {}) as Partial<AddOn>;
  return typeof name === 'string' && typeof register === 'function';
}
