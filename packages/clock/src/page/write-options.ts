import type { NameRecipe } from '../names/name-recipe.ts';
import type { NameTexts } from '../tables/name-texts.ts';

// Control characters, which occur in no text, stand in an option where its mark and its name go.
export const markHole = 1;
export const nameHole = 2;

/** An option as the template makes it, but for its name. */
export interface OptionShell {
  readonly bytes: Buffer;
  readonly recipe: NameRecipe;
}

/** By byte, what stands for the characters that markup cannot have. */
export type Escapes = readonly (Buffer | undefined)[];

/**
 * Writes options one after the other, each with its name, and notes where each one's mark would go.
 * @returns how many bytes they take; when that is more than there is room for, the rest was not written
 */
export function writeOptions(
  into: Buffer,
  marks: Uint32Array,
  options: readonly OptionShell[],
  texts: NameTexts,
  escapes: Escapes,
): number {
  let length = 0;
  let place = 0;
  for (const { bytes, recipe } of options) {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte > nameHole) into[length++] = byte;
      else if (byte === nameHole) length = writeName(into, length, recipe, texts, escapes);
      else marks[place] = length;
    }
    place++;
  }
  return length;
}

function writeName(
  into: Buffer,
  start: number,
  recipe: NameRecipe,
  { bytes, starts }: NameTexts,
  escapes: Escapes,
): number {
  let length = start;
  for (const line of recipe) {
    const end = (starts[line + 1] ?? 1) - 1;
    for (let at = starts[line] ?? 0; at < end; at++) {
      const byte = bytes[at] as number;
      const escaped = escapes[byte];
      if (escaped === undefined) into[length++] = byte;
      else for (const one of escaped) into[length++] = one;
    }
  }
  return length;
}
