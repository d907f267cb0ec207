import { types } from 'node:util';
import { typeName, type View } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import { hasComponentName, hasOnlyFunctions, isConstant, isDataFunction, isHelper } from './kinds.ts';
import type { Slices } from './slices.ts';
import { isPlain } from './values.ts';
import { isModuleExport } from './variables.ts';

/**
 * The order of the list: servers, objects of a known shape (frameworks, pools, clients, queues, caches), objects named like a component,
 * objects of the application's classes, its variables, objects of libraries named like a component. Constants and helpers are collapsed.
 */
export const ranks = ['server', 'known', 'named', 'instance', 'variable', 'library', 'minor'] as const;
export type Rank = (typeof ranks)[number];

export const isBefore = (one: Rank, other: Rank) => ranks.indexOf(one) < ranks.indexOf(other);

/** How an object was reached, and its name there. */
export interface Place {
  readonly name: string;
  /** The file in whose scope it has this name; undefined if the name stands alone. */
  readonly file: string | undefined;
  /** How it was found, for people. */
  readonly how: string;
}

export interface Find extends Place {
  readonly value: object;
  readonly rank: Rank;
  /** Where it comes from: a file of the application, or a framework. */
  readonly owner: string;
}

/** More objects of one class of the application are data; so are more variables of one other class, such as schemas and loggers. */
const maxOfOneClass = 5;
const maxVariablesOfOneClass = 10;

/** The objects found so far, each once, with the best rank and name it was found with. */
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

  /** Counts a key: 1 for the first call with it. */
  count(key: unknown): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  note(value: object, rank: Rank, place: Place, owner = this.#ownerAt(place)): void {
    const known = this.#all.get(value);
    const find = { ...place, value, rank, owner };
    if (known === undefined) this.#all.set(value, find);
    else {
      const named = nameOrder(find) < nameOrder(known) ? find : known;
      this.#all.set(value, { ...named, rank: isBefore(rank, known.rank) ? rank : known.rank });
    }
  }

  #ownerAt({ file }: Place): string {
    return file === undefined ? 'application' : this.#files.shown(file);
  }

  /** Notes a variable of the application, unless it is code or what a library exports. */
  variable(value: object, place: Place): void {
    if (!this.#isComponent(value)) return;
    const isNamed = hasComponentName(place.name, isPlain(value) ? '' : typeName(value));
    this.note(value, isHelper(value) ? 'minor' : isNamed ? 'named' : 'variable', place);
  }

  /** Notes an object of a class of the application. @param count how many of the class were found so far */
  instance(value: object, file: string, { how }: Place, count: number): void {
    if (!this.#all.has(value) && count > maxOfOneClass) return;
    const type = typeName(value);
    const place = { name: type, file: undefined, how: `object of a class, ${how}` };
    this.note(value, hasComponentName(type) ? 'named' : 'instance', place, this.#files.shown(file));
  }

  /** Notes an object of a library: the first of each class, minor unless it has a view or is named like a component. */
  libraryObject(value: object, place: Place, view?: View): void {
    const type = typeName(value);
    if (this.#all.has(value) || this.count(Object.getPrototypeOf(value)) > 1) return;
    const matters = view !== undefined || (hasComponentName(type) && !isHelper(value));
    const rank = typeof value === 'object' && matters ? 'library' : 'minor';
    this.note(value, rank, { ...place, name: view?.name ?? type, file: undefined }, 'library');
  }

  /** Notes a field of an object. */
  field(holder: object, key: string, value: object): void {
    if (!this.#isComponent(value)) return;
    const type = typeName(holder);
    const place = { name: `${type}.${key.replace('#', '')}`, file: undefined, how: `held by an object of ${type}` };
    this.note(value, 'minor', place, type);
  }

  #isComponent(value: object): boolean {
    if (types.isProxy(value) || this.#isIgnored(value) || types.isModuleNamespaceObject(value)) return false;
    if (isModuleExport(value) || (typeof value === 'function' && !isDataFunction(value))) return false;
    return !(types.isPromise(value) || types.isNativeError(value) || types.isRegExp(value) || types.isDate(value));
  }

  /** Makes constants minor (plain values that the application does not change), and variables of a class that has many. */
  async demoteMinor(slices: Slices): Promise<void> {
    const ofClass = new Map<object, number>();
    for (const { value, rank } of this.all) {
      const prototype = Object.getPrototypeOf(value) as object;
      if (rank === 'variable' && !isPlain(value)) ofClass.set(prototype, (ofClass.get(prototype) ?? 0) + 1);
    }
    for (const find of this.all) {
      await slices.pause();
      const { value, rank, name } = find;
      if (rank !== 'named' && rank !== 'variable') continue;
      const last = name.replace(/.*\./s, '');
      const isChanged = !/^[A-Z]/.test(last) && !hasOnlyFunctions(value) && this.#files.isChanged(last);
      const isData =
        rank === 'variable' && (ofClass.get(Object.getPrototypeOf(value) as object) ?? 0) > maxVariablesOfOneClass;
      if (isData || (!isChanged && isConstant(value))) this.#all.set(value, { ...find, rank: 'minor' });
    }
  }
}

/** Which name wins: that of a server or a framework, else that of a variable, else that of the class. */
const nameOrder = ({ rank, file }: Find) => (file !== undefined ? 1 : isBefore('known', rank) ? 2 : 0);
