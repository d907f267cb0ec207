import { types } from 'node:util';
import { type InspectionOptions, resolveOptions } from './inspection-options.ts';
import { everything, type Secrecy } from './masking/secret-key.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import { entrySecrecy } from './walk/container-cursor.ts';
import { type Cursor, skipSome } from './walk/cursors.ts';
import { mapSize, setSize } from './walk/intrinsics.ts';
import { partAt, pointerTo, scannedCursor } from './walk/json-pointer.ts';
import { depthMarker } from './walk/markers.ts';
import type { OutlineKind } from './walk/outline-kinds.ts';
import { entriesPreview } from './walk/preview.ts';
import { seemsToHavePrivateFields } from './walk/private-fields.ts';
import { learningMasking } from './walk/secret-scan.ts';
import { type ClassifyOptions, classify, type ShownContainer, type ShownScalar } from './walk/shown-value.ts';
import { manyValues, type WalkOptions } from './walk/walk-options.ts';
import { WorkBudget } from './walk/work-budget.ts';

export type { OutlineKind } from './walk/outline-kinds.ts';

/** One entry of a container. */
export interface OutlineEntry {
  readonly key: string;
  /** A JSON Pointer (RFC 6901) from the root of the value, as the option `at` takes it. */
  readonly pointer: string;
  readonly kind: OutlineKind;
  /** The class of an object, the wrapper class of a primitive, `getter` where one was not run; empty for other markers. */
  readonly type: string;
  /** The entries of a container, the characters of a text, the bytes of binary data. */
  readonly size?: number;
  /** A short text, masked. */
  readonly preview: string;
  /** Whether there is more of a text than its preview. */
  readonly isCut: boolean;
  /** Whether it is a container with entries that `at` can lead to. */
  readonly canOpen: boolean;
  /** The pointer that a reference leads to: of a container around it, or of a large one that was shown before. */
  readonly target?: string;
  /** Its name, where the option `names` has one. */
  readonly name?: string;
  /** Set where nothing is to be seen in an object, and its class seems to have private fields (`#name`). */
  readonly hasPrivateFields?: true;
  /** Its entries, where it was opened in the same call. */
  readonly entries?: Outline;
}

/** A value as typed rows: what is a marker cannot be mistaken for data. */
export interface Outline {
  readonly pointer: string;
  readonly kind: OutlineKind;
  readonly type: string;
  readonly size?: number;
  /** How many entries come before the first of these. */
  readonly from: number;
  readonly entries: readonly OutlineEntry[];
  /** Whether there are entries after the last of these, or more of the text. */
  readonly hasMore: boolean;
  /** Set where time was up before the first of these entries was reached. */
  readonly isUnreached?: true;
  /** As for an entry. */
  readonly hasPrivateFields?: true;
  /** The whole text, of a value that is no container. */
  readonly text?: string;
  /** The pointer that a reference leads to: of a container around it, or of a large one that was shown before. */
  readonly target?: string;
}

export interface OutlineOptions
  extends Pick<
    InspectionOptions,
    | 'at'
    | 'depth'
    | 'text'
    | 'budget'
    | 'stacks'
    | 'getters'
    | 'views'
    | 'raw'
    | 'closed'
    | 'masking'
    | 'mask'
    | 'reveal'
    | 'secrets'
  > {
  /** How many entries to pass over; 0 by default. */
  readonly from?: number | undefined;
  /** How many entries of each container to show; 100 by default. */
  readonly limit?: number | undefined;
  /** How many levels are opened by themselves; 1 by default. */
  readonly levels?: number | undefined;
  /** Pointers of further containers to open, if they are to be seen. */
  readonly open?: Iterable<string> | undefined;
  /** Pointers of containers not to open. */
  readonly close?: Iterable<string> | undefined;
  /** How many entries of other containers to pass over, by pointer. */
  readonly pages?: Readonly<Record<string, number>> | undefined;
  /** Names of objects, such as components: entries that are one of them have its name. */
  readonly names?: ReadonlyMap<object, string> | undefined;
  /** How many rows to show in all; then no more containers are opened. 10,000 by default. */
  readonly rows?: number | undefined;
}

const defaultLimit = 100;
const defaultRows = 10_000;

/** What a value holds, as rows with their kind, type, size and a preview; only what is asked for is opened. */
export function outline(value: unknown, options: OutlineOptions = {}): Outline {
  return handlingCreatedPromises(() => new Outliner(value, options).outline(value), options.getters);
}

/** A container on the way from the root to the row that is being looked at. */
interface Opened {
  readonly pointer: string;
  /** How many containers are around it. */
  readonly level: number;
  /** Whether `at` can lead here: not where a key on the way is masked. */
  readonly isAddressable: boolean;
}

class Outliner {
  readonly #options: WalkOptions & { readonly budget: number };
  readonly #levels: number;
  readonly #open: ReadonlySet<string>;
  readonly #close: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, number>;
  /** The pointers of open containers, and of large ones that were shown. */
  readonly #shownAt = new Map<object, string>();
  #count = 0;
  readonly #names: ReadonlyMap<object, string>;
  readonly #classifying: ClassifyOptions;
  readonly #budget: WorkBudget;
  #rows: number;

  constructor(root: unknown, options: OutlineOptions) {
    const { limit = defaultLimit, levels = 1, open = [], close = [], pages = {}, from } = options;
    const { names = new Map(), rows = defaultRows } = options;
    const resolved = resolveOptions({ ...options, limit });
    const masking = learningMasking(root, resolved.masking, resolved.contentOf, longestScanMs);
    this.#options = { ...resolved, masking };
    const { closed, contentOf } = resolved;
    this.#classifying = { masking, closed, contentOf, text: previewLength, shownAt: this.#shownAt };
    this.#names = names;
    this.#levels = levels;
    this.#open = new Set(open);
    this.#close = new Set(close);
    this.#pages = new Map([
      ...Object.entries(pages),
      ...(from === undefined ? [] : [[this.#options.at, from] as const]),
    ]);
    this.#rows = rows;
    this.#budget = new WorkBudget(this.#options.budget);
  }

  outline(value: unknown): Outline {
    const { at: pointer, text } = this.#options;
    const shown = classify(partAt(value, this.#options), '', { ...this.#classifying, text });
    if ('container' in shown) return this.#entriesOf(shown, { pointer, level: 0, isAddressable: true });
    const { kind, type, size, text: whole, isCut, target } = shown;
    return {
      pointer,
      kind,
      type,
      ...(size === undefined ? {} : { size }),
      from: 0,
      entries: [],
      hasMore: isCut,
      ...(target === undefined ? {} : { target }),
      text: whole,
    };
  }

  #entriesOf(shown: ShownContainer, opened: Opened): Outline {
    const { kind, type, container, identities, secrecy } = shown;
    const { pointer } = opened;
    const { stacks, limit, masking } = this.#options;
    const secrecyOf = (key: string) => masking.secrecyOf(key, () => this.#pointerOf(opened, key), secrecy);
    const cursor = scannedCursor(container, { secrecyOf, stacks });
    const size = cursor.remaining();
    const from = this.#pages.get(pointer) ?? 0;
    const before = this.#count;
    for (const identity of identities) this.#shownAt.set(identity, pointer);
    const entries: OutlineEntry[] = [];
    const isReached = this.#skip(cursor, from);
    while (entries.length < limit && !this.#budget.isUsedUp() && cursor.next()) {
      this.#rows--;
      this.#count++;
      entries.push(this.#entry(cursor, entrySecrecy(cursor, secrecy, secrecyOf), opened));
    }
    const hasMore = cursor.remaining() > 0;
    this.#count += Math.max(0, size - entries.length);
    if (this.#count - before <= manyValues) for (const identity of identities) this.#shownAt.delete(identity);
    cursor.close?.();
    const outline = { pointer, kind, type, size, from, entries, hasMore };
    if (hasOnlyPrivateFields(kind, container, size)) return { ...outline, hasPrivateFields: true };
    return isReached ? outline : { ...outline, isUnreached: true };
  }

  /** Whether all could be passed over in time. */
  #skip(cursor: Cursor, count: number): boolean {
    let left = count;
    while (left > 0 && !this.#budget.isUsedUp()) left = skipSome(cursor, left);
    return left === 0;
  }

  #entry(cursor: Cursor, secrecy: Secrecy, opened: Opened): OutlineEntry {
    const { masking } = this.#options;
    const rawKey = String(cursor.key);
    const key = masking.key(rawKey);
    const pointer = opened.pointer + pointerTo([key]);
    const { value, mark } = cursor;
    const isHidden = mark === undefined && masking.hidesEntry(rawKey, value, () => pointer);
    const shown = classify({ value, mark, secrecy: isHidden ? everything : secrecy }, rawKey, this.#classifying);
    const isAddressable = opened.isAddressable && key === rawKey;
    const isRunnable = mark === 'getter' && this.#options.getters === 'run';
    if (!('container' in shown))
      return scalarEntry(key, pointer, shown, (mark === 'new' || isRunnable) && isAddressable);
    const inside = { pointer, level: opened.level + 1, isAddressable };
    return this.#containerEntry(key, shown, inside);
  }

  #containerEntry(key: string, shown: ShownContainer, opened: Opened): OutlineEntry {
    const { pointer, level, isAddressable } = opened;
    const { kind, type, container, identities, secrecy } = shown;
    const { depth, masking, stacks, closed } = this.#options;
    const name = identities[0] && this.#names.get(identities[0]);
    if (level >= depth)
      return { key, pointer, kind: 'limit', type, preview: depthMarker, isCut: false, canOpen: isAddressable };
    const isOpen = this.#rows > 0 && !this.#close.has(pointer) && (level < this.#levels || this.#open.has(pointer));
    const entries = isOpen ? this.#entriesOf(shown, opened) : undefined;
    const secrecyOf = (name: string) => masking.secrecyOf(name, () => this.#pointerOf(opened, name), secrecy);
    const size = entries?.size ?? sizeOf(container, stacks);
    const preview = entriesPreview(container, { kind, secrecyOf, secrecy, masking, closed });
    const canOpen = isAddressable && size > 0;
    const known = { key, pointer, kind, type, size, preview, isCut: false, canOpen };
    const named = name === undefined ? known : { ...known, name };
    const entry = hasOnlyPrivateFields(kind, container, size) ? { ...named, hasPrivateFields: true as const } : named;
    return entries === undefined ? entry : { ...entry, entries };
  }

  #pointerOf({ pointer }: Opened, key: string): string {
    return pointer + pointerTo([this.#options.masking.key(key)]);
  }
}

/** Literals, since spreading takes longer than all the rest of this. */
function scalarEntry(key: string, pointer: string, shown: ShownScalar, canOpen: boolean): OutlineEntry {
  const { kind, type, size, text: preview, isCut, target } = shown;
  if (size !== undefined) return { key, pointer, kind, type, size, preview, isCut, canOpen };
  if (target !== undefined) return { key, pointer, kind, type, preview, isCut, canOpen, target };
  return { key, pointer, kind, type, preview, isCut, canOpen };
}

const previewLength = 150;
/** An outline is made in one go. */
const longestScanMs = 20;

function hasOnlyPrivateFields(kind: OutlineKind, container: object, size: number): boolean {
  return kind === 'object' && size === 0 && seemsToHavePrivateFields(container);
}

/** The entries of a container that is not opened. */
function sizeOf(container: object, stacks: boolean): number {
  if (types.isMap(container)) return mapSize(container);
  if (types.isSet(container)) return setSize(container);
  return scannedCursor(container, { secrecyOf: () => everything, stacks }).remaining();
}
