import type { EntryCursor } from './entries/entry-cursor.ts';
import { type InspectionOptions, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import { noSecret, type Secrecy } from './masking/secret-key.ts';
import { depthMarker } from './objects/markers.ts';
import { type Glance, glance } from './views/glance.ts';
import { partAt } from './walk/json-pointer.ts';
import { type Link, pointerTo } from './walk/pointer.ts';
import { entriesPreview } from './walk/preview.ts';
import { learningMasking } from './walk/secret-scan.ts';
import type { OutlineKind, ShownScalar } from './walk/shown-scalar.ts';
import { type Part, type ShownContainer, shownValue } from './walk/shown-value.ts';
import { type Page, type Place, type Visitor, Walk } from './walk/walk.ts';
import { WorkBudget } from './work-budget.ts';

export type { OutlineKind } from './walk/shown-scalar.ts';

/** One entry of a container. */
export interface OutlineEntry {
  readonly key: string;
  /** A JSON Pointer (RFC 6901) from the root of the value, as the option `at` takes it. */
  readonly pointer: string;
  readonly kind: OutlineKind;
  /** The class of an object, the wrapper class of a primitive, or `getter` if it was not run; empty for other markers. */
  readonly type: string;
  /** The entries of a container, the characters of a text, the bytes of binary data. */
  readonly size?: number;
  /** A short text, masked. */
  readonly preview: string;
  /** Whether the text is longer than its preview. */
  readonly isCut: boolean;
  /** Whether it is a container that `at` can open. */
  readonly canOpen: boolean;
  /** The pointer that a reference leads to. */
  readonly target?: string;
  /** Its name in the option `names`. */
  readonly name?: string;
  /** Whether the object probably has private fields that are not shown. */
  readonly hasPrivateFields?: true;
  /** Its entries, if it was opened in the same call. */
  readonly entries?: Outline;
}

/** A value as typed rows, in which markers cannot be mistaken for data. */
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
  /** Set if the time was up before the first of these entries. */
  readonly isUnreached?: true;
  /** The same as in an entry. */
  readonly hasPrivateFields?: true;
  /** The whole text, of a value that is no container. */
  readonly text?: string;
  /** The pointer that a reference leads to: of a container around it, or of a large one that was shown before. */
  readonly target?: string;
  /** Its glance, with the option `glance`. */
  readonly glance?: Glance;
}

type SharedOptions = 'at' | 'depth' | 'text' | 'budget' | 'stacks' | 'getters' | 'views' | 'raw' | 'glance' | 'closed';
type MaskingChoice = 'privateFields' | 'masking' | 'mask' | 'reveal' | 'secrets';

export interface OutlineOptions extends Pick<InspectionOptions, SharedOptions | MaskingChoice> {
  /** How many entries to skip; 0 by default. */
  readonly from?: number | undefined;
  /** How many entries of each container to show; 100 by default. */
  readonly limit?: number | undefined;
  /** How many levels to open; 1 by default. */
  readonly levels?: number | undefined;
  /** Pointers of further containers to open. */
  readonly open?: Iterable<string> | undefined;
  /** Pointers of containers not to open. */
  readonly close?: Iterable<string> | undefined;
  /** How many entries of other containers to skip, by pointer. */
  readonly pages?: Readonly<Record<string, number>> | undefined;
  /** Names of objects, such as beans, to set in their entries. */
  readonly names?: ReadonlyMap<object, string> | undefined;
  /** Called after each level with its entries; returns those to open too. */
  readonly unfold?: ((opened: readonly Outline[]) => readonly OutlineEntry[]) | undefined;
  /** The maximum of rows, after which no more containers are opened but those of `open`; 10,000 by default. */
  readonly rows?: number | undefined;
}

const defaultLimit = 100;
const defaultRows = 10_000;
const previewLength = 150;

/** The entries of a value as rows with kind, type, size and preview. */
export function outline(value: unknown, options: OutlineOptions = {}): Outline {
  const resolved = resolveOptions({ ...options, limit: options.limit ?? defaultLimit });
  return resolved.context.run(() => new Outliner(value, options, resolved).outline(value));
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** An outline under construction. */
interface Draft extends Writable<Outline> {
  readonly entries: Writable<OutlineEntry>[];
}

/** An open container. */
interface Opened {
  readonly outline: Draft;
  readonly identities: readonly object[];
  /** Whether `at` can lead here; false if a key on the path is masked. */
  readonly isAddressable: boolean;
}

/** A container that is not open. */
interface Closed {
  readonly shown: ShownContainer;
  readonly depth: number;
  readonly parents: readonly Opened[];
}

class Outliner implements Visitor {
  readonly #options: ResolvedOptions;
  readonly #outlineOptions: OutlineOptions;
  readonly #open: ReadonlySet<string>;
  readonly #close: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, number>;
  readonly #closed = new Map<OutlineEntry, Closed>();
  readonly #places = new Map<object, Link>();
  readonly #budget: WorkBudget;
  #stack: Opened[] = [];
  #root: Outline | undefined;
  /** The depth of the container where the walk began. */
  #depth = 0;
  #rows: number;

  constructor(root: unknown, options: OutlineOptions, resolved: ResolvedOptions) {
    const { open = [], close = [], pages = {}, from, rows = defaultRows } = options;
    const { context, contentOf } = resolved;
    this.#options = { ...resolved, masking: learningMasking(root, resolved.masking, context, contentOf) };
    this.#outlineOptions = options;
    this.#open = new Set(open);
    this.#close = new Set(close);
    const first = from === undefined ? [] : [[resolved.at, from] as const];
    this.#pages = new Map([...Object.entries(pages), ...first]);
    this.#rows = rows;
    this.#budget = new WorkBudget(resolved.budget);
  }

  outline(value: unknown): Outline {
    const { at: pointer, masking, views } = this.#options;
    const part = partAt(value, this.#options);
    const shown = shownValue(part, '', this.#options);
    const outline = shown.container !== undefined ? this.#walk(part, pointer, 0) : scalarOutline(shown, pointer);
    if (shown.container !== undefined) this.#unfoldBelow(outline);
    const glanced =
      this.#options.glance && part.secrecy === noSecret ? glance(part.value, { views, masking }) : undefined;
    return glanced === undefined ? outline : { ...outline, glance: glanced };
  }

  #walk(part: Part, at: string, depth: number, parents: readonly Opened[] = []): Outline {
    this.#depth = depth;
    this.#stack = [...parents];
    const walk = new Walk(part, { ...this.#options, text: previewLength, at, places: this.#places }, this);
    do if (this.#budget.isUsedUp()) walk.cut();
    while (!walk.run(() => this.#budget.isUsedUp()));
    return this.#root as Outline;
  }

  #unfoldBelow(root: Outline): void {
    for (let level = [root]; level.length > 0; ) {
      const entries = this.#outlineOptions.unfold?.(level) ?? [];
      for (const entry of entries) this.#openLater(entry);
      level = entries.flatMap((entry) => entry.entries ?? []);
    }
  }

  /** Opens an entry, unless it is open or shown elsewhere. */
  #openLater(entry: Writable<OutlineEntry>): void {
    const closed = this.#closed.get(entry);
    if (closed === undefined || this.#rows <= 0) return;
    const { shown, depth, parents } = closed;
    const places = parents.flatMap(({ identities, outline }) =>
      identities.map((each) => [each, { parent: undefined, key: outline.pointer }] as const),
    );
    const added = places.filter(([identity]) => !this.#places.has(identity));
    for (const [identity, link] of added) this.#places.set(identity, link);
    if (!shown.identities.some((identity) => this.#places.has(identity)))
      entry.entries = this.#walk({ value: shown.identities[0], secrecy: shown.secrecy }, entry.pointer, depth, parents);
    for (const [identity] of added) this.#places.delete(identity);
  }

  value(shown: ShownScalar, place: Place): void {
    const { mark } = place;
    const isRunnable = mark === 'getter' && this.#options.getters === 'run';
    const { kind, type, size, text: preview, left, target } = shown;
    const row = this.#row(place, { kind, type, preview, isCut: left > 0 });
    row.canOpen = (mark === 'new' || isRunnable) && this.#isAddressable(place);
    if (size !== undefined) row.size = size;
    if (target !== undefined) row.target = target;
  }

  open(shown: ShownContainer, place: Place, cursor: EntryCursor): Page | undefined {
    const { kind, type, identities, secrecy } = shown;
    const { context, masking, closed, depth: maxDepth, limit } = this.#options;
    const depth = this.#depth + place.depth;
    const pointer = place.pointer();
    if (depth >= maxDepth) {
      const row = this.#row(place, { kind: 'limit', type, preview: depthMarker, isCut: false });
      row.canOpen = this.#isAddressable(place);
      return undefined;
    }
    const { size } = cursor;
    const row = place.depth === 0 ? undefined : this.#row(place, { kind, type, preview: '', isCut: false });
    const hasHiddenFields = kind === 'object' && context.hidesFields(shown.container);
    if (row !== undefined) {
      const pathTo = (name: string | number) => pointer + pointerTo([masking.key(String(name))]);
      const secrecyOf = (name: string | number): Secrecy => masking.secrecyOf(name, pathTo, secrecy);
      row.preview = entriesPreview(shown.container, { context, kind, secrecyOf, masking, closed });
      row.size = size;
      row.canOpen = this.#isAddressable(place) && size > 0;
      const name = this.#outlineOptions.names?.get(identities[0] as object);
      if (name !== undefined) row.name = name;
      if (hasHiddenFields) row.hasPrivateFields = true;
      const isWanted = this.#open.has(pointer) || (this.#rows > 0 && depth < (this.#outlineOptions.levels ?? 1));
      if (this.#close.has(pointer) || !isWanted) {
        if (row.canOpen) this.#closed.set(row, { shown, depth, parents: [...this.#stack] });
        return undefined;
      }
    }
    const from = this.#pages.get(pointer) ?? 0;
    const isAddressable = row === undefined || this.#isAddressable(place);
    const draft: Draft = { pointer, kind, type, size, from, entries: [], hasMore: false };
    if (hasHiddenFields) draft.hasPrivateFields = true;
    if (row === undefined) this.#root = draft;
    else row.entries = draft;
    this.#stack.push({ outline: draft, identities, isAddressable });
    return { from, limit };
  }

  close(left: number): void {
    const { outline: draft } = this.#stack.pop() as Opened;
    draft.hasMore = left > 0;
    if (left > 0 && draft.entries.length === 0 && draft.from > 0) draft.isUnreached = true;
  }

  #isAddressable(place: Place): boolean {
    const key = String(place.key);
    return this.#stack.at(-1)?.isAddressable === true && this.#options.masking.key(key) === key;
  }

  #row(place: Place, facts: Pick<OutlineEntry, 'kind' | 'type' | 'preview' | 'isCut'>): Writable<OutlineEntry> {
    this.#rows--;
    const { kind, type, preview, isCut } = facts;
    const key = this.#options.masking.key(String(place.key));
    const row: Writable<OutlineEntry> = { key, pointer: place.pointer(), kind, type, preview, isCut, canOpen: false };
    this.#stack.at(-1)?.outline.entries.push(row);
    return row;
  }
}

/** A value that is no container. */
function scalarOutline({ kind, type, size, text, left, target }: ShownScalar, pointer: string): Outline {
  const facts = { pointer, kind, type, from: 0, entries: [], hasMore: left > 0, text };
  return { ...facts, ...(size === undefined ? {} : { size }), ...(target === undefined ? {} : { target }) };
}
