import { type InspectionOptions, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import { everything, nothing, type Secrecy } from './masking/secret-key.ts';
import { type Glance, glance } from './views/glance.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import { entrySecrecy } from './walk/container-cursor.ts';
import { type Cursor, skipSome } from './walk/cursors.ts';
import { type Part, partAt, pointerTo, scannedCursor, sizeOf } from './walk/json-pointer.ts';
import { depthMarker } from './walk/markers.ts';
import type { OutlineKind } from './walk/outline-kinds.ts';
import { entriesPreview } from './walk/preview.ts';
import { seemsToHavePrivateFields, showsPrivateFields, withPrivateFields } from './walk/private-fields.ts';
import { forgetNames } from './walk/reflection.ts';
import { learningMasking } from './walk/secret-scan.ts';
import { type ClassifyOptions, classify, type ShownContainer, type ShownScalar } from './walk/shown-value.ts';
import { manyValues } from './walk/walk-options.ts';
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
  /** Set where the class of an object seems to have private fields (`#name`), which cannot be seen. */
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
  /** What a view tells of it, with the option `glance`. */
  readonly glance?: Glance;
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
    | 'glance'
    | 'closed'
    | 'privateFields'
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
  /** Asked level by level, with what was opened last, which of its entries to open as well. */
  readonly unfold?: ((opened: readonly Outline[]) => readonly OutlineEntry[]) | undefined;
  /** How many rows to show in all; then no more containers are opened. 10,000 by default. */
  readonly rows?: number | undefined;
}

const defaultLimit = 100;
const defaultRows = 10_000;

/** What a value holds, as rows with their kind, type, size and a preview; only what is asked for is opened. */
export function outline(value: unknown, options: OutlineOptions = {}): Outline {
  forgetNames();
  return withPrivateFields(options.privateFields, () =>
    handlingCreatedPromises(() => new Outliner(value, options).outline(value), options.getters),
  );
}

/** A container on the way from the root to the row that is being looked at. */
interface Opened {
  readonly pointer: string;
  /** How many containers are around it. */
  readonly level: number;
  /** Whether `at` can lead here: not where a key on the way is masked. */
  readonly isAddressable: boolean;
  /** The container around it. */
  readonly around?: Opened;
  readonly identities: readonly object[];
}

/** A container that was not opened, or not yet. */
interface Closed {
  readonly shown: ShownContainer;
  readonly opened: Opened;
}

class Outliner {
  readonly #options: ResolvedOptions;
  readonly #levels: number;
  readonly #open: ReadonlySet<string>;
  readonly #close: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, number>;
  /** The pointers of open containers, and of large ones that were shown. */
  readonly #shownAt = new Map<object, string>();
  #count = 0;
  readonly #unfold: OutlineOptions['unfold'];
  readonly #closed = new Map<OutlineEntry, Closed>();
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
    this.#unfold = options.unfold;
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
    const part = partAt(value, this.#options);
    const outline = this.#outlineOf(part);
    const { masking, views } = this.#options;
    const isTold = this.#options.glance && part.secrecy === nothing;
    const told = isTold ? glance(part.value, { views, masking }) : undefined;
    return told === undefined ? outline : { ...outline, glance: told };
  }

  #outlineOf(part: Part): Outline {
    const { at: pointer, text } = this.#options;
    const shown = classify(part, '', { ...this.#classifying, text });
    if ('container' in shown) {
      const { identities } = shown;
      const root = this.#entriesOf(shown, { pointer, level: 0, isAddressable: true, identities });
      this.#unfoldBelow(root);
      return root;
    }
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

  #unfoldBelow(root: Outline): void {
    for (let level = [root]; level.length > 0; ) {
      const entries = this.#unfold?.(level) ?? [];
      for (const entry of entries) this.#openLater(entry);
      level = entries.flatMap((entry) => entry.entries ?? []);
    }
  }

  /** Opens an entry that is there already; one that was opened with the others, or is shown elsewhere now, stays as it is. */
  #openLater(entry: Writable<OutlineEntry>): void {
    const closed = this.#closed.get(entry);
    if (closed === undefined || this.#rows <= 0) return;
    const { shown, opened } = closed;
    const around: object[] = [];
    for (let each = opened.around; each !== undefined; each = each.around) {
      for (const identity of each.identities) {
        if (this.#shownAt.has(identity)) continue;
        this.#shownAt.set(identity, each.pointer);
        around.push(identity);
      }
    }
    if (!shown.identities.some((identity) => this.#shownAt.has(identity)))
      entry.entries = this.#entriesOf(shown, opened);
    for (const identity of around) this.#shownAt.delete(identity);
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
    const outline: Writable<Outline> = { pointer, kind, type, size, from, entries, hasMore };
    if (hasPrivateFields(kind, container)) outline.hasPrivateFields = true;
    if (!isReached) outline.isUnreached = true;
    return outline;
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
    const inside = { pointer, level: opened.level + 1, isAddressable, around: opened, identities: shown.identities };
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
    const entry: Writable<OutlineEntry> = { key, pointer, kind, type, size, preview, isCut: false, canOpen };
    if (name !== undefined) entry.name = name;
    if (hasPrivateFields(kind, container)) entry.hasPrivateFields = true;
    if (entries !== undefined) entry.entries = entries;
    else if (this.#unfold !== undefined && canOpen) this.#closed.set(entry, { shown, opened });
    return entry;
  }

  #pointerOf({ pointer }: Opened, key: string): string {
    return pointer + pointerTo([this.#options.masking.key(key)]);
  }
}

/** To add a property to, since spreading takes longer than all the rest. */
type Writable<Rows> = { -readonly [Name in keyof Rows]: Rows[Name] };

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

function hasPrivateFields(kind: OutlineKind, container: object): boolean {
  return kind === 'object' && !showsPrivateFields() && seemsToHavePrivateFields(container);
}
