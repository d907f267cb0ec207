import { types } from 'node:util';
import { typeName, type View } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import { isCalledLikeComponent, isConstant, isDataFunction, isHelper, isOnlyCode } from './kinds.ts';
import type { Slices } from './slices.ts';
import { isPlain } from './values.ts';
import { isExportOfOthers } from './variables.ts';

/**
 * What comes first in a list: servers, what is known by its shape (frameworks, pools, clients, queues, caches), what is called like one,
 * objects of classes of the application, its variables, then what libraries hold that is called like one. Constants and helpers are folded.
 */
export const ranks = ['server', 'known', 'named', 'instance', 'variable', 'library', 'minor'] as const;
export type Rank = (typeof ranks)[number];

export const isBefore = (one: Rank, other: Rank) => ranks.indexOf(one) < ranks.indexOf(other);

/** How something was reached, and what it is called there. */
export interface Place {
  readonly name: string;
  /** The file within which it has this name; undefined where that is its whole name. */
  readonly file: string | undefined;
  /** How it was found, for people. */
  readonly how: string;
}

/** Something that was found. */
export interface Find extends Place {
  readonly value: object;
  readonly rank: Rank;
  /** Where it comes from: a file of the application, or a framework. */
  readonly owner: string;
}

/** More objects of a class of the application are data, and so are more variables of another class: schemas, loggers of modules. */
const maxOfOneClass = 5;
const maxVariablesOfOneClass = 10;

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

  /** How often this was asked for a key. */
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

  /** A variable of the application is a component, unless it is code, or what a library exports. */
  variable(value: object, place: Place): void {
    if (!this.#isComponent(value)) return;
    const isNamed = isCalledLikeComponent(place.name, isPlain(value) ? '' : typeName(value));
    this.note(value, isHelper(value) ? 'minor' : isNamed ? 'named' : 'variable', place);
  }

  /** An object of a class of the application. @param count how many of the class there are by now */
  instance(value: object, file: string, { how }: Place, count: number): void {
    if (!this.#all.has(value) && count > maxOfOneClass) return;
    const type = typeName(value);
    const place = { name: type, file: undefined, how: `object of a class, ${how}` };
    this.note(value, isCalledLikeComponent(type) ? 'named' : 'instance', place, this.#files.shown(file));
  }

  /** An object of a library near to what is open: the first of each class, minor unless it has a view or is called like a component. */
  ofLibrary(value: object, place: Place, view?: View): void {
    const type = typeName(value);
    if (this.#all.has(value) || this.count(Object.getPrototypeOf(value)) > 1) return;
    const matters = view !== undefined || (isCalledLikeComponent(type) && !isHelper(value));
    const rank = typeof value === 'object' && matters ? 'library' : 'minor';
    this.note(value, rank, { ...place, name: view?.name ?? type, file: undefined }, 'library');
  }

  /** A field of an object. */
  field(holder: object, key: string, value: object): void {
    if (!this.#isComponent(value)) return;
    const type = typeName(holder);
    const place = { name: `${type}.${key.replace('#', '')}`, file: undefined, how: `held by an object of ${type}` };
    this.note(value, 'minor', place, type);
  }

  #isComponent(value: object): boolean {
    if (types.isProxy(value) || this.#isIgnored(value) || types.isModuleNamespaceObject(value)) return false;
    if (isExportOfOthers(value) || (typeof value === 'function' && !isDataFunction(value))) return false;
    return !(types.isPromise(value) || types.isNativeError(value) || types.isRegExp(value) || types.isDate(value));
  }

  /** Folds objects with plain values only that the code of the application does not change, and variables of a class that has many. */
  async fold(slices: Slices): Promise<void> {
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
      const isChanged = !/^[A-Z]/.test(last) && !isOnlyCode(value) && this.#files.isChanged(last);
      const isData =
        rank === 'variable' && (ofClass.get(Object.getPrototypeOf(value) as object) ?? 0) > maxVariablesOfOneClass;
      if (isData || (!isChanged && isConstant(value))) this.#all.set(value, { ...find, rank: 'minor' });
    }
  }
}

/** Which name something gets: that of a server or a framework, else that of a variable, else that of its class. */
const nameOrder = ({ rank, file }: Find) => (file !== undefined ? 1 : isBefore('known', rank) ? 2 : 0);
