import { pointerTo } from '@jig/inspect/internal';
import { JsonDocument, type JsonEntry, stepsPerLook, type Work } from './json-text.ts';

export type DifferenceKind = 'changed' | 'added' | 'removed';

/** One value that differs between two documents. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** A JSON Pointer: into the new document, or into the old one for what was removed. */
  readonly pointer: string;
  /** As JSON, since a number that is parsed may lose digits. Absent for what was added. */
  readonly before?: string | undefined;
  /** Absent for what was removed. */
  readonly now?: string | undefined;
  /** Whether it is a container in which more has changed than is listed. */
  readonly isTooMuch?: boolean;
}

/** More would be read by nobody, and a bean could have millions. */
export const mostDifferences = 1000;

/** A long key is part of every pointer below it; what is below a longer pointer is not listed. */
const longestPointer = 1000;

/** What differs between two documents, in their order; of a container with more differences than `most`, only that it has changed. */
export function* differencesBetween(before: string, now: string, most: number): Work<readonly Difference[]> {
  if (before === now) return [];
  const documents = { before: yield* JsonDocument.read(before), now: yield* JsonDocument.read(now) };
  return yield* new Comparing(documents, most).differencesAt(0, 0, '');
}

class Comparing {
  readonly #before: JsonDocument;
  readonly #now: JsonDocument;
  readonly #most: number;

  constructor({ before, now }: Readonly<Record<'before' | 'now', JsonDocument>>, most: number) {
    this.#before = before;
    this.#now = now;
    this.#most = most;
  }

  /** What differs between the values that start at two places, which are not the same. */
  *differencesAt(placeBefore: number, placeNow: number, pointer: string): Work<readonly Difference[]> {
    const before = this.#before.textAt(placeBefore);
    const now = this.#now.textAt(placeNow);
    const changed = { kind: 'changed', pointer, before, now } as const;
    const bracket = before.charAt(0);
    if (bracket !== now.charAt(0) || (bracket !== '[' && bracket !== '{')) return [changed];
    if (pointer.length <= longestPointer) {
      const found: Difference[] = [];
      const left = this.#before.entriesAt(placeBefore);
      const right = this.#now.entriesAt(placeNow);
      yield* bracket === '[' ? this.#items(left, right, pointer, found) : this.#entries(left, right, pointer, found);
      if (found.length <= this.#most) return found;
    }
    return [{ ...changed, isTooMuch: true }];
  }

  /** By position: what was inserted before others changes all that follow it. */
  *#items(left: Entries, right: Entries, pointer: string, found: Difference[]): Work<void> {
    for (let index = 0; found.length <= this.#most; index++) {
      if (index % stepsPerLook === 0) yield;
      const { value: old } = left.next();
      const { value: current } = right.next();
      if (!old && !current) return;
      if (old && current && this.#isSame(old.start, current.start)) continue;
      const place = `${pointer}/${index}`;
      if (old && current) found.push(...(yield* this.differencesAt(old.start, current.start, place)));
      else if (old) found.push(this.#removed(place, old.start));
      else if (current) found.push(this.#added(place, current.start));
    }
  }

  *#entries(left: Entries, right: Entries, pointer: string, found: Difference[]): Work<void> {
    let steps = 0;
    const old = new Map<string, number>();
    for (const { key, start } of left) {
      old.set(key, start);
      if (++steps % stepsPerLook === 0) yield;
    }
    // A key is written in one way, so it need not be parsed to be found.
    const pointerOf = (key: string) => pointer + pointerTo([JSON.parse(key) as string]);
    for (const { key, start } of right) {
      if (++steps % stepsPerLook === 0) yield;
      const was = old.get(key);
      old.delete(key);
      if (was === undefined) found.push(this.#added(pointerOf(key), start));
      else if (!this.#isSame(was, start)) found.push(...(yield* this.differencesAt(was, start, pointerOf(key))));
      if (found.length > this.#most) return;
    }
    for (const [key, start] of old) {
      found.push(this.#removed(pointerOf(key), start));
      if (found.length > this.#most) return;
    }
  }

  #isSame(placeBefore: number, placeNow: number): boolean {
    return this.#before.textAt(placeBefore) === this.#now.textAt(placeNow);
  }

  #added(pointer: string, start: number): Difference {
    return { kind: 'added', pointer, now: this.#now.textAt(start) };
  }

  #removed(pointer: string, start: number): Difference {
    return { kind: 'removed', pointer, before: this.#before.textAt(start) };
  }
}

type Entries = Generator<JsonEntry, void, undefined>;

const operations = { added: 'add', removed: 'remove', changed: 'replace' } as const;

/** Differences as JSON Patch (RFC 6902): applied in order, the operations turn the old document into the new one. */
export function toPatch(differences: readonly Difference[]): string {
  const isRemoved = ({ kind }: Difference) => kind === 'removed';
  // The last item of an array goes first, since the others move up.
  const ordered = [...differences.filter((each) => !isRemoved(each)), ...differences.filter(isRemoved).reverse()];
  return `[${ordered.map(toOperation).join(',')}]`;
}

const toOperation = ({ kind, pointer, now }: Difference) =>
  `{"op":"${operations[kind]}","path":${JSON.stringify(pointer)}${now === undefined ? '' : `,"value":${now}`}}`;

/** Facts of a difference and its values, as JSON. Of a container in which too much has changed there are none: the patch has the new one. */
export function differenceJson(facts: object, { before, now, isTooMuch }: Partial<Difference>): string {
  if (isTooMuch) return JSON.stringify({ ...facts, isTooMuch });
  const value = (name: string, json: string | undefined) => (json === undefined ? '' : `,"${name}":${json}`);
  return `${JSON.stringify(facts).slice(0, -1)}${value('before', before)}${value('now', now)}}`;
}
