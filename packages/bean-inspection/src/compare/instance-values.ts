import { maskMark, pointerTo } from '@jig/inspect/internal';
import type { Instance } from '../instances/instance.ts';
import { JsonDocument, stepsPerLook, type Work } from './json-text.ts';

/** What an instance said of a bean. */
export interface Told {
  readonly instance: Pick<Instance, 'id' | 'label' | 'pid'>;
  readonly milliseconds: number;
  /** The document; undefined where there is none. */
  readonly text?: string | undefined;
  /** Why there is none. */
  readonly fault?: string | undefined;
  readonly isTruncated?: boolean;
}

/** A path, and what is there in each instance. */
export interface PathValues {
  readonly pointer: string;
  /** As JSON; of lists that differ in length, how long each is. Undefined where there is nothing. */
  readonly values: readonly (string | { readonly items: number } | undefined)[];
}

export interface ValuesByPath {
  readonly different: readonly PathValues[];
  readonly equal: readonly PathValues[];
  readonly equalCount: number;
  /** Whether there is more than is listed. */
  readonly isCut: boolean;
}

/** More would make a page that no browser shows quickly. */
const mostRows = 1000;

/** What is in the documents of several instances, path by path. Masked values are not compared. */
export function* valuesByPath(texts: readonly string[]): Work<ValuesByPath> {
  const documents: JsonDocument[] = [];
  for (const text of texts) documents.push(yield* JsonDocument.read(text));
  const walk = new PathWalk(documents);
  yield* walk.at(
    documents.map(() => 0),
    '',
  );
  return walk;
}

class PathWalk implements ValuesByPath {
  readonly #documents: readonly JsonDocument[];
  readonly different: PathValues[] = [];
  readonly equal: PathValues[] = [];
  equalCount = 0;
  isCut = false;
  #steps = 0;

  constructor(documents: readonly JsonDocument[]) {
    this.#documents = documents;
  }

  /** Compares the values that start at these places, one of each document. */
  *at(places: readonly (number | undefined)[], pointer: string): Work<void> {
    if (++this.#steps % stepsPerLook === 0) yield;
    const texts = places.map((place, index) =>
      place === undefined ? undefined : this.#documents[index]?.textAt(place),
    );
    const [first] = texts;
    if (texts.includes(`"${maskMark}"`)) return;
    const bracket = first?.charAt(0);
    const isContainer = (bracket === '{' || bracket === '[') && texts.every((text) => text?.charAt(0) === bracket);
    const isEqual = texts.every((text) => text === first);
    if (!isContainer || (isEqual && first?.length === 2)) this.#add(isEqual, { pointer, values: texts });
    else yield* this.#entries(places as readonly number[], pointer, bracket === '[');
  }

  *#entries(places: readonly number[], pointer: string, isList: boolean): Work<void> {
    const keys = new Map<string, (number | undefined)[]>();
    const sizes = places.map(() => 0);
    for (const [index, place] of places.entries()) {
      for (const { key, start } of this.#documents[index]?.entriesAt(place) ?? []) {
        const name = isList ? String(sizes[index]) : key;
        const found = keys.get(name) ?? places.map(() => undefined);
        found[index] = start;
        keys.set(name, found);
        sizes[index] = (sizes[index] ?? 0) + 1;
        if (++this.#steps % stepsPerLook === 0) yield;
      }
    }
    // Items of lists of different length would only be moved.
    if (isList && sizes.some((size) => size !== sizes[0]))
      this.#add(false, { pointer, values: sizes.map((items) => ({ items })) });
    else
      for (const [key, starts] of keys)
        yield* this.at(starts, isList ? `${pointer}/${key}` : pointer + pointerTo([JSON.parse(key) as string]));
  }

  #add(isEqual: boolean, row: PathValues): void {
    const rows = isEqual ? this.equal : this.different;
    if (isEqual) this.equalCount++;
    if (rows.length < mostRows) rows.push(row);
    else this.isCut = true;
  }
}

/** Whether a path is one of some, or is in one. */
export function isWithin(pointer: string, pointers: ReadonlySet<string>): boolean {
  let path = pointer;
  while (path !== '' && !pointers.has(path)) path = path.slice(0, path.lastIndexOf('/'));
  return pointers.has(path);
}

/** The values of a path with those who have each, the rarest first. */
export interface Held {
  readonly value: PathValues['values'][number];
  /** Positions in the list of instances. */
  readonly by: readonly number[];
}

export function heldValues({ values }: PathValues): readonly Held[] {
  const held = new Map<string, { value: Held['value']; by: number[] }>();
  for (const [index, value] of values.entries()) {
    const key = JSON.stringify(value) ?? '';
    const known = held.get(key) ?? { value, by: [] };
    known.by.push(index);
    held.set(key, known);
  }
  return [...held.values()].sort((a, b) => a.by.length - b.by.length);
}

/** Those that differ from the value that more than half have; none where there is no such value. */
export function standingOut(held: readonly Held[], count: number): ReadonlySet<number> {
  const most = held.at(-1);
  if (most === undefined || most.by.length * 2 <= count) return new Set();
  return new Set(held.slice(0, -1).flatMap(({ by }) => by));
}
