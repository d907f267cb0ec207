import { types } from 'node:util';
import { typeName } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import { type ContainerKind, isDataFunction } from './known-shapes.ts';
import { isPlainObject } from './object-kinds.ts';
import { isExportOfOthers } from './outside.ts';

/** What comes first in a list: main components, then what holds state, then all else. */
export type Rank = 'main' | 'state' | 'rest';

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

export interface Found {
  readonly finds: readonly Find[];
  readonly containers: readonly FoundContainer[];
  readonly modules: readonly FoundModule[];
  readonly statistics: {
    readonly visited: number;
    readonly functions: number;
    readonly longestMs: number;
    readonly isCut: boolean;
  };
}

const order: Readonly<Record<Rank, number>> = { main: 0, state: 1, rest: 2 };

/** More objects of a class are data. */
const mostOfOneClass = 5;

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

  values(): Iterable<Find> {
    return this.#all.values();
  }

  /** What is found again, as something better, keeps the name of the variable that it is in, unless it is more than a variable. */
  note(value: object, rank: Rank, place: Place, owner = this.#ownerAt(place)): void {
    const known = this.#all.get(value);
    const { file } = place;
    const isBetterNamed = known?.rank === rank && known.file === undefined && file !== undefined && rank !== 'main';
    if (known !== undefined && order[known.rank] <= order[rank] && !isBetterNamed) return;
    const isNamed = known?.file !== undefined && file !== undefined;
    this.#all.set(value, isNamed ? { ...known, rank } : { ...place, value, rank, owner: known?.owner ?? owner });
  }

  #ownerAt({ file }: Place): string {
    return file === undefined ? 'application' : this.#files.shown(file);
  }

  /** A variable of the application is a component, unless it is code, or what a library exports. */
  variable(value: object, place: Place): void {
    if (this.#isComponent(value)) this.note(value, isPlainObject(value) ? 'rest' : 'state', place);
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
    if (!this.#all.has(value) && count <= mostOfOneClass) {
      const owner = this.#files.shown(file);
      this.note(value, 'state', { name: typeName(value), file: undefined, how: `object of a class, ${how}` }, owner);
    }
    return count === 1;
  }

  /** What an object holds in one of its fields. */
  field(holder: object, key: string, value: object, owner: string): void {
    if (!this.#isComponent(value)) return;
    const type = typeName(holder);
    const place = { name: `${type}.${key.replace('#', '')}`, file: undefined, how: `held by an object of ${type}` };
    this.note(value, 'rest', place, owner);
  }

  count(key: unknown): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
