import { cursorOf } from '../entries/entries.ts';
import { InspectError } from '../errors.ts';
import { allSecret, noSecret } from '../masking/secret-key.ts';
import { closedMarker } from '../objects/markers.ts';
import { type Link, pointerOf, pointerTokens } from './pointer.ts';
import type { ShownOptions } from './shown-scalar.ts';
import { isClosed, type Part, shownValue } from './shown-value.ts';

export interface PointerOptions extends ShownOptions {
  /** The JSON Pointer of the value within its bean. */
  readonly at: string;
  /** Whether errors show their stack. */
  readonly stacks: boolean;
}

/** The part of a value at a valid JSON Pointer, by the entries that a walk would show. */
export function partAt(value: unknown, options: PointerOptions): Part {
  const { context, masking, stacks } = options;
  let part: Part = { value, secrecy: noSecret };
  let parent: Link = { parent: undefined, key: '' };
  // `pointerTokens` returns undefined only for malformed pointers, which callers reject.
  for (const token of pointerTokens(options.at) ?? []) {
    const shown = shownValue(part, parent.key, options);
    if (shown.container === undefined) throw missing();
    const current = parent;
    const path = (key: string | number) => pointerOf({ parent: current, key }, masking);
    const secrecyOf = (key: string | number) => masking.secrecyOf(key, path, shown.secrecy);
    const cursor = cursorOf(shown.container, { context, secrecyOf, stacks }, shown.kind);
    const isFound = cursor.at(token);
    cursor.close();
    if (!isFound) throw missing(cursor.isUnreached);
    const { value: inner, mark, secrecy } = cursor;
    const isHidden = masking.hidesEntry(token, inner, path);
    part = { value: inner, mark, secrecy: isHidden ? allSecret : secrecy };
    if (isClosed(inner, options)) part = { value: closedMarker, mark: 'closed', secrecy: noSecret };
    parent = { parent, key: token };
  }
  return part;
}

function missing(isUnreached = false): Error {
  const sentence = isUnreached
    ? 'at leads to an entry that was not reached in time; look at entries that come earlier'
    : 'at leads to nothing in the inspected value; look at the whole of it first';
  return new InspectError('JIG_INSPECTION_PART_MISSING', sentence, isUnreached ? { fields: { isUnreached } } : {});
}
