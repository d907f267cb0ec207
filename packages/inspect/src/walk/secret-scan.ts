import { types } from 'node:util';
import { LearnedTexts } from '../masking/learned-texts.ts';
import type { Masking } from '../masking/masking.ts';
import { everything, isSecretKey, nothing, type Secrecy, texts } from '../masking/secret-key.ts';
import { handlingCreatedPromises } from './bean-code.ts';
import { hiddenContent, proxyContent } from './content.ts';
import { isNamedBefore, isNamedBeside } from './cursors.ts';
import { mapEntries, setValues } from './intrinsics.ts';
import { pointerTo } from './json-pointer.ts';
import { mapKeyName } from './map-cursors.ts';
import { shownPrivateFields } from './private-fields.ts';
import { type ContentOf, isPlainObject, mayHaveEntries, ownNames, ownProperty } from './reflection.ts';

/** What a scan looks at in all: enough for the settings near the root of any bean, and a small part of a big one. */
const mostObjects = 10_000;
const mostEntries = 50_000;
/** So that one big container does not use up all. */
const mostInOne = 5000;
/** Objects between two looks at the clock, and entries of one object. */
const objectsPerLook = 64;
const entriesPerLook = 250;

interface Seen {
  readonly object: object;
  readonly secrecy: Secrecy;
  readonly path: string;
  /** Whether it stands right behind a secret key, not further down in plain data behind one. */
  readonly isDirect: boolean;
  /** How many of its entries were looked at. */
  count: number;
  /** What is left of a map or a set. */
  rest?: Iterator<unknown>;
  /** The names of an object with more than a few. */
  names?: readonly string[];
}

/**
 * Learns the texts behind secret keys before a document is written, the nearest to the root first. Runs no code of a
 * bean but what views do, looks at each object once, and at a bounded number of them.
 */
export class SecretScan {
  readonly learned = new LearnedTexts();
  readonly #masking: Masking;
  readonly #contentOf: ContentOf | undefined;
  readonly #queue: Seen[] = [];
  readonly #known = new Set<object>();
  /** Whether texts are learned however they look, since nothing else masks them. */
  readonly #isSecret: boolean;
  #next = 0;
  #entries = 0;

  constructor(root: unknown, masking: Masking, contentOf?: ContentOf) {
    this.#masking = masking;
    this.#contentOf = contentOf;
    this.#isSecret = masking.secretData?.has(root as object) === true;
    this.#value(root, this.#isSecret ? texts : nothing, '', true);
  }

  /** True when all is learned; works for so many milliseconds at most. */
  work(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    for (let seen = this.#queue[this.#next]; seen !== undefined; seen = this.#queue[this.#next]) {
      if (seen.count === 0 && (this.#entries >= mostEntries || this.learned.isFull)) break;
      const before = seen.count;
      const isDone = this.#visit(seen);
      this.#entries += seen.count - before;
      if (isDone) this.#next++;
      if ((!isDone || this.#next % objectsPerLook === 0) && performance.now() > end) return false;
    }
    return true;
  }

  /** Looks at the next entries of an object; true when there are no more. */
  #visit(seen: Seen): boolean {
    const { object, secrecy, path, isDirect } = seen;
    if (Array.isArray(object)) return this.#array(object, seen);
    if (types.isMap(object))
      return this.#each(
        seen,
        () => mapEntries(object),
        ([key, value]) => this.#entry(mapKeyName(key), value, secrecy, path),
      );
    if (!types.isSet(object)) return this.#properties(object, seen);
    return this.#each(
      seen,
      () => setValues(object),
      (value) => this.#value(value, secrecy, path, isDirect),
    );
  }

  #each<Item>(seen: Seen, iterate: () => Iterator<Item>, look: (item: Item) => void): boolean {
    seen.rest ??= iterate();
    const rest = seen.rest as Iterator<Item>;
    for (const end = endOf(seen, mostInOne); seen.count < end; seen.count++) {
      const { done, value } = rest.next();
      if (done === true) return true;
      look(value);
    }
    return seen.count >= mostInOne;
  }

  #array(array: readonly unknown[], seen: Seen): boolean {
    const { secrecy, path, isDirect } = seen;
    const count = Math.min(array.length, mostInOne);
    for (const end = endOf(seen, count); seen.count < end; seen.count++) {
      const index = seen.count;
      const item: unknown = ownProperty(array, index)?.value;
      const isNamed = typeof item === 'string' && isNamedBefore(array, index);
      if (isNamed) this.learned.add(item);
      else this.#value(item, secrecy, this.#masking.needsPaths ? `${path}/${index}` : '', isDirect);
    }
    return seen.count >= count;
  }

  #properties(object: object, seen: Seen): boolean {
    const { secrecy, path } = seen;
    const { names = ownNames(object) } = seen;
    const count = Math.min(names.length, mostInOne);
    if (seen.count === 0 && (count === 0 || typeof ownProperty(object, names[0] as string)?.value === 'function'))
      this.#value(handlingCreatedPromises(() => hiddenContent(object, this.#contentOf))?.value, secrecy, path, true);
    for (const end = endOf(seen, count); seen.count < end; seen.count++) {
      const name = names[seen.count] as string;
      const value: unknown = ownProperty(object, name)?.value;
      if (isNamedBeside(object, name, value, this.#masking)) this.#value(value, texts, path, true);
      else this.#entry(name, value, secrecy, path);
    }
    if (seen.count < count) {
      seen.names = names;
      return false;
    }
    for (const [name, value] of shownPrivateFields(object)) this.#entry(name, value, secrecy, path);
    return true;
  }

  #entry(name: string, value: unknown, inherited: Secrecy, path: string): void {
    if (typeof value !== 'string' && !mayHaveEntries(value)) return;
    const pathTo = () => path + pointerTo([this.#masking.key(name)]);
    const secrecy = this.#masking.secrecyOf(name, pathTo, inherited);
    const isDirect = inherited === nothing || isSecretKey(name);
    this.#value(value, secrecy, this.#masking.needsPaths ? pathTo() : '', isDirect);
  }

  #value(value: unknown, secrecy: Secrecy, path: string, isDirect: boolean): void {
    const isLearned = secrecy !== nothing && (isDirect || this.#isSecret);
    if (typeof value === 'string' && (isLearned || (secrecy !== nothing && isTelling(value)))) this.learned.add(value);
    if (!mayHaveEntries(value) || this.#queue.length >= mostObjects) return;
    if (types.isProxy(value)) {
      const content = secrecy === nothing ? proxyContent(value, { contentOf: this.#contentOf }) : undefined;
      if (content !== undefined) this.#value(content, nothing, path, isDirect);
      return;
    }
    if (ArrayBuffer.isView(value) || this.#known.has(value)) return;
    this.#known.add(value);
    const isData = Array.isArray(value) || types.isMap(value) || types.isSet(value);
    const inherits = secrecy !== nothing && secrecy !== everything && (isData || isPlainObject(value));
    this.#queue.push({ object: value, secrecy: inherits ? secrecy : nothing, path, isDirect, count: 0 });
  }
}

/** Where to stop before the next look at the clock. */
const endOf = ({ count }: Seen, all: number) => Math.min(count + entriesPerLook, all);

/** A text in plain data behind a secret key may be a domain or a role, unless it looks like a secret itself. */
const isTelling = (text: string) => text.length >= 8 && /\d/.test(text) && /[a-z]/i.test(text);

/** The masking of what is shown of a value: with the texts that its secret keys tell. */
export function learningMasking(
  root: unknown,
  masking: Masking,
  contentOf?: ContentOf,
  milliseconds = Number.POSITIVE_INFINITY,
): Masking {
  const scan = new SecretScan(root, masking, contentOf);
  scan.work(milliseconds);
  return withLearnedBy(scan, masking);
}

export function withLearnedBy({ learned }: SecretScan, masking: Masking): Masking {
  if (masking.learned !== undefined) learned.addAll(masking.learned);
  return learned.isEmpty ? masking : masking.withLearned(learned);
}
