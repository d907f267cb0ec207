import { types } from 'node:util';
import { typeName } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import { type ContainerKind, isDataFunction } from './known-shapes.ts';
import { isPlain, isPlainObject, own } from './object-kinds.ts';
import { isExportOfOthers } from './outside.ts';
import type { Slices } from './slices.ts';

/**
 * What comes first in a list: servers, what is known by its shape (frameworks, pools, clients, queues, caches), what is called like one,
 * objects of classes of the application, its variables, then what libraries hold that is called like one. Constants and helpers are folded.
 */
export const ranks = ['server', 'known', 'named', 'instance', 'variable', 'library', 'minor'] as const;
export type Rank = (typeof ranks)[number];

/** How something was reached, and what it is called there. */
export interface Place {
  readonly name: string;
  readonly file: string | undefined;
  /** How it was found, for people. */
  readonly how: string;
}

/** Something that was found. Its name is that within its file, or its whole name where it has no file. */
export interface Find extends Place {
  readonly value: object;
  readonly rank: Rank;
  /** Where it comes from: a file of the application, or a framework. */
  readonly owner: string;
}

export interface FoundContainer {
  readonly kind: ContainerKind;
  readonly value: object;
  readonly how: string;
}

/** A module of the application, and how to see its variables as they are now. */
export interface FoundModule {
  readonly file: string;
  readonly variables: () => object;
  readonly how: string;
}

const order = (rank: Rank) => ranks.indexOf(rank);

/** More objects of a class are data. */
const maxOfOneClass = 5;
/** So far from the application's own, what libraries hold is near to what is open. */
const nearDistance = 3;

/** What variables and classes are called that hold the state of an application. */
const componentName =
  /(?:server|app|application|router|pool|client|queue|cache|store|storage|registry|repository|container|manager|broker|bus|scheduler|compiler|engine|database|db|connection|session|service|gateway)s?$/i;

export const isCalledLikeComponent = (name: string) => componentName.test(name);

/** What encodes, stands for a moment, or is left of one request. */
const helperTypes =
  /^(?:Text(?:En|De)coder|URL|URLSearchParams|Timeout|Immediate|Abort(?:Signal|Controller)|IncomingMessage|ServerResponse|Http2Server(?:Request|Response)|Socket|TLSSocket|Headers|Request|Response|WeakRef|WeakMap|WeakSet|StringDecoder|Intl\.\w+|Collator|NumberFormat|DateTimeFormat|ArrayBuffer|Performance|Hash|MessagePort)$/;

const isHelper = (value: object) => ArrayBuffer.isView(value) || helperTypes.test(typeName(value));

/** All that was found so far, each thing once, as the best that it was found as. */
export class Finds {
  readonly #files: ApplicationFiles;
  readonly #isIgnored: (value: object) => boolean;
  readonly #all = new Map<object, Find>();
  readonly #counts = new Map<unknown, number>();

  constructor(files: ApplicationFiles, isIgnored: (value: object) => boolean) {
    this.#files = files;
    this.#isIgnored = isIgnored;
  }

  get all(): readonly Find[] {
    return [...this.#all.values()];
  }

  isVariable(value: object): boolean {
    return this.#all.get(value)?.file !== undefined;
  }

  /** The best rank counts. The name of a variable stays, unless it is a server or a framework. */
  note(value: object, rank: Rank, place: Place, owner = this.#ownerAt(place)): void {
    const known = this.#all.get(value) ?? { ...place, value, rank, owner };
    const isBetter = order(rank) < order(known.rank);
    const isTop = isBetter && order(rank) <= order('known') && place.file === undefined;
    const isNamed = known.file === undefined && place.file !== undefined && order(known.rank) > order('known');
    this.#all.set(value, { ...known, ...(isTop || isNamed ? place : {}), rank: isBetter ? rank : known.rank });
  }

  #ownerAt({ file }: Place): string {
    return file === undefined ? 'application' : this.#files.shown(file);
  }

  /** A variable of the application is a component, unless it is code, or what a library exports. */
  variable(value: object, place: Place): void {
    if (!this.#isComponent(value)) return;
    const isNamed = [place.name, isPlain(value) ? '' : typeName(value)].some(isCalledLikeComponent);
    this.note(value, isHelper(value) ? 'minor' : isNamed ? 'named' : 'variable', place);
  }

  /** Folds objects with plain values only that the code of the application does not change. */
  async foldConstants(slices: Slices): Promise<void> {
    for (const find of this.all) {
      await slices.pause();
      const { value, rank, name } = find;
      if (rank !== 'named' && rank !== 'variable') continue;
      const [last = ''] = name.split('.').slice(-1);
      const isChanged = !/^[A-Z]/.test(last) && !isCode(value) && this.#files.changed.has(last);
      if (!isChanged && isConstant(value)) this.#all.set(value, { ...find, rank: 'minor' });
    }
  }

  #isComponent(value: object): boolean {
    if (types.isProxy(value) || this.#isIgnored(value) || types.isModuleNamespaceObject(value)) return false;
    if (isExportOfOthers(value) || (typeof value === 'function' && !isDataFunction(value))) return false;
    return !(types.isPromise(value) || types.isNativeError(value) || types.isRegExp(value) || types.isDate(value));
  }

  /**
   * An object of a class of the application. Of many, each is data.
   * @returns whether it is the first of its class
   */
  instance(value: object, file: string, { how }: Place): boolean {
    const count = this.count(Object.getPrototypeOf(value));
    const owner = this.#files.shown(file);
    const type = typeName(value);
    if (this.#all.has(value) || count <= maxOfOneClass)
      this.note(
        value,
        isCalledLikeComponent(type) ? 'named' : 'instance',
        { name: type, file: undefined, how: `object of a class, ${how}` },
        owner,
      );
    return count === 1;
  }

  /** An object of a library near an open resource: the first of each class, not minor if it has the name of a component. */
  ofLibrary(value: object, place: Place, distance: number, name = typeName(value)): void {
    if (distance > nearDistance || this.#all.has(value) || this.count(Object.getPrototypeOf(value)) > 1) return;
    const isInView = typeof value === 'object' && isCalledLikeComponent(typeName(value)) && !isHelper(value);
    this.note(value, isInView ? 'library' : 'minor', { ...place, name, file: undefined }, 'library');
  }

  /** A field of an object. */
  field(holder: object, key: string, value: object): void {
    if (!this.#isComponent(value)) return;
    const type = typeName(holder);
    const place = { name: `${type}.${key.replace('#', '')}`, file: undefined, how: `held by an object of ${type}` };
    this.note(value, 'minor', place, type);
  }

  count(key: unknown): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

/** Functions alone, as bundlers write what a module exports. */
const isCode = (value: object) =>
  isPlainObject(value) && Object.keys(value).every((key) => typeof own(value, key) === 'function');

/** How many values are read to recognize a collection of plain values. */
const maxSearched = 500;

/** Whether an object contains only strings, numbers, functions and collections of these. An empty one may still be filled. */
function isConstant(collection: object): boolean {
  const looked = new Set<object>([collection]);
  let count = 0;
  // A Set also visits what is added meanwhile.
  for (const each of looked) {
    if (types.isProxy(each)) return false;
    if (types.isRegExp(each) || types.isDate(each) || ArrayBuffer.isView(each)) continue;
    if (!isPlain(each)) return false;
    for (const item of entriesOf(each)) {
      if (++count >= maxSearched) return true;
      if (typeof item === 'object' && item !== null) looked.add(item);
    }
  }
  return count > 0;
}

function* entriesOf(value: object): Generator<unknown> {
  if (types.isMap(value)) for (const entry of Map.prototype.entries.call(value)) yield* entry;
  if (types.isSet(value)) yield* Set.prototype.values.call(value);
  for (const key of Object.keys(value)) yield own(value, key);
}
