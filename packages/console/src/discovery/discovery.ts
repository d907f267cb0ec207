import { types } from 'node:util';
import { type InnerSession, mayHavePrivateFields, type Scope } from '@jig/inspect/internal';
import { type ApplicationFiles, type CapturedModules, fileOfUrl } from './application-files.ts';
import { type Find, Finds, type Place } from './finds.ts';
import { type ContainerKind, containerKind, frameworkOf, knownView, serverName } from './kinds.ts';
import { exportsOf, exportsOfEsModules, type HeapRoots, type Root, rootsOfProcess } from './roots.ts';
import { Slices } from './slices.ts';
import {
  classOf,
  entriesOf,
  isBound,
  isBuiltIn,
  isNative,
  isObject,
  isPlain,
  own,
  partsAt,
  shownKey,
} from './values.ts';
import {
  isOfNode,
  mergedVariables,
  notOfTheApplication,
  ownVariables,
  updateExportsOfOthers,
  variablesIn,
  variablesOf,
} from './variables.ts';

export interface DiscoveryOptions {
  readonly session: InnerSession;
  readonly files: ApplicationFiles;
  readonly captured?: CapturedModules | undefined;
  /** Where the heap is searched too. */
  readonly heap?: HeapRoots | undefined;
  /** The socket that we listen on ourselves. */
  readonly socket?: string | undefined;
  /** The address of the folder of our own modules. */
  readonly ownFolder?: string | undefined;
  /** How many times as long as usual to search. */
  readonly effort?: number | undefined;
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
  /** How many variables these are. */
  readonly size: number;
}

export interface Found {
  readonly finds: readonly Find[];
  readonly containers: readonly FoundContainer[];
  readonly modules: readonly FoundModule[];
  /** How many objects were left out because the search had worked for long enough. */
  readonly left: number;
}

const limits = {
  visited: 60_000,
  /** Of CPU time. */
  milliseconds: 3000,
  /** Closures of libraries on the way to something: behind a few, all is theirs. */
  distance: 5,
  /** So far from the application's own, what libraries hold is near to what is open. */
  nearDistance: 3,
  entries: 200,
  properties: 300,
  /** Objects of a class of Node or of a library, such as connections and watched files: they lead to the same. */
  ofOneClass: 100,
  /** Functions with the same text, since one may run often: they see variables of the same names. */
  ofOneText: 3,
};

/** After this many objects of the application, one of a library is searched. */
const turns = 4;

/** An object to search. */
interface Item {
  readonly value: object;
  readonly place: Place;
  /** How far it is from what is the application's own: 0 for that itself, and one more behind each closure of a library. */
  readonly distance: number;
}

/** Finds the components of an application that says nothing of itself. Runs none of its code, and works in slices. */
export const discover = (options: DiscoveryOptions): Promise<Found> => new Discovery(options).run();

class Discovery {
  readonly #session: InnerSession;
  readonly #files: ApplicationFiles;
  readonly #options: DiscoveryOptions;
  readonly #slices = new Slices();
  readonly #ignored = new Set<unknown>(notOfTheApplication());
  readonly #seen = new Set<object>();
  /** What belongs to the application comes before what belongs to libraries. */
  readonly #queues: readonly [own: Item[], others: Item[]] = [[], []];
  readonly #finds: Finds;
  readonly #containers = new Map<object, FoundContainer>();
  readonly #modules = new Map<string, FoundModule>();
  readonly #writers = new Map<object, { readonly file: string | undefined } | undefined>();
  readonly #ownScript: string | undefined;
  #left = 0;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#files = options.files;
    this.#finds = new Finds(options.files, (value) => this.#ignored.has(value));
    this.#ownScript = this.#session.detailsOf(discover).location?.scriptId;
  }

  async run(): Promise<Found> {
    const { captured = [], heap, ownFolder } = this.#options;
    updateExportsOfOthers(this.#files);
    // First, so that what is open is found however long the rest takes.
    await this.#begin(rootsOfProcess(this.#session));
    await this.#begin(exportsOf(this.#files));
    await this.#captured(captured);
    await this.#begin(exportsOfEsModules(this.#files, this.#session, ownFolder));
    await this.#files.read(this.#slices);
    await this.#visitAll();
    // Last, since what something leads to has a better name, and may be a part of that.
    if (heap !== undefined) {
      await this.#begin(heap.search((value) => this.#writerOf(value)?.file !== undefined));
      await this.#visitAll();
    }
    await this.#finds.fold(this.#slices);
    return {
      finds: this.#finds.all.filter(({ value }) => !this.#containers.has(value)),
      containers: [...this.#containers.values()],
      modules: [...this.#modules.values()],
      left: this.#left,
    };
  }

  async #begin(roots: Iterable<Root | undefined>): Promise<void> {
    for (const root of roots) {
      await this.#slices.pause();
      if (!isObject(root?.value)) continue;
      const { value, place, kind } = root;
      if (kind === 'variable') this.#finds.variable(value, place);
      this.#add(value, place, kind === 'other' ? 1 : 0);
    }
  }

  /** The modules whose variables can be seen because they were started by us. */
  async #captured(captured: CapturedModules): Promise<void> {
    for (const [url, see] of captured) {
      await this.#slices.pause();
      const file = fileOfUrl(url);
      const { location, scopes } = this.#session.detailsOf(see);
      if (location !== undefined) this.#files.learn(location.scriptId, file);
      // Most of its functions see no more than this does.
      this.#module(file, mergedVariables(scopes), variablesOf(this.#session, see), 'variable of the module', 1);
    }
  }

  /** Visits what was added, and what that leads to, for a while: what is the application's own first. */
  async #visitAll(): Promise<void> {
    const { effort = 1 } = this.#options;
    const end = this.#slices.spent + limits.milliseconds * effort;
    const [ownItems, others] = this.#queues;
    let [nextOwn, nextOther] = [0, 0];
    for (let visited = 0; visited < limits.visited * effort && this.#slices.spent <= end; visited++) {
      const isOwn = nextOther >= others.length || (nextOwn < ownItems.length && visited % turns !== 0);
      const item = isOwn ? ownItems[nextOwn++] : others[nextOther++];
      if (item === undefined) break;
      try {
        this.#visit(item);
      } catch {
        // An object that throws is skipped.
      }
      await this.#slices.pause();
    }
    this.#left += ownItems.length - nextOwn + others.length - nextOther;
    ownItems.length = 0;
    others.length = 0;
  }

  #add(value: unknown, place: Place, distance: number): void {
    if (!isObject(value) || this.#seen.has(value) || this.#ignored.has(value) || distance > limits.distance) return;
    const isCode = typeof value === 'function';
    // To ask for the target of another proxy may run getters of that.
    if (types.isProxy(value) ? !isCode : isCode && isNative(value) && !isBound(value)) return;
    this.#seen.add(value);
    this.#queues[distance === 0 ? 0 : 1].push({ value, place, distance });
  }

  #addBelow({ place, distance }: Item, key: PropertyKey, value: unknown): void {
    if (isObject(value)) this.#add(value, { ...place, name: `${place.name}.${shownKey(key)}` }, distance);
  }

  #visit(item: Item): void {
    const { value, place, distance } = item;
    if (types.isProxy(value)) {
      for (const part of Object.values(this.#session.partsOf(value) ?? {})) this.#add(part, place, distance);
      return;
    }
    const server = serverName(value, this.#options.socket);
    // It is the one by which we are asked.
    if (server === '') return;
    if (server !== undefined) this.#server(value, server, place);
    const kind = containerKind(value);
    // Its components are asked for by what it offers, and some of its properties would create them.
    if (kind !== undefined) this.#containers.set(value, { kind, value, how: place.how });
    else if (typeof value === 'function') this.#visitFunction(value, item);
    else this.#visitObject(value, item);
  }

  /** A server, and what answers its requests, where that is more than a function. */
  #server(value: object, name: string, place: Place): void {
    this.#finds.note(value, 'server', { ...place, name, file: undefined }, 'node');
    const how = 'answers the requests of a server';
    for (const each of [own((own(value, '_events') ?? {}) as object, 'request')].flat())
      if (typeof each === 'function' && !types.isProxy(each) && Object.keys(each).length > 0)
        this.#finds.note(each, 'named', { name: `${name}.request`, file: undefined, how }, 'library');
  }

  /** The application of a framework, unless it is a part of another, what it holds, and what has a view: a pool, a cache. */
  #known(value: object, { place, distance }: Item): boolean {
    const view = knownView(value);
    const framework = frameworkOf(value, view);
    if (framework !== undefined) {
      const { name, parts, isInner = false } = framework;
      if (!isInner) this.#finds.note(value, 'known', { ...place, name, file: undefined }, name);
      for (const [key, each] of parts)
        if (isObject(each) && typeof each !== 'function' && !types.isProxy(each))
          this.#finds.note(each, 'known', { name: `${name}.${key}`, file: undefined, how: `held by ${name}` }, name);
    } else if (view !== undefined)
      if (distance === 0 || place.how === 'on the heap')
        this.#finds.note(value, view.name.endsWith('Logger') ? 'variable' : 'known', place);
      else if (distance <= limits.nearDistance) this.#finds.ofLibrary(value, place, view);
    return view !== undefined;
  }

  #visitObject(value: object, item: Item): void {
    const isKnown = this.#known(value, item);
    if (types.isPromise(value)) this.#add(this.#session.resultOf(value), item.place, item.distance);
    if (types.isPromise(value) || types.isNativeError(value) || ArrayBuffer.isView(value)) return;
    if (types.isModuleNamespaceObject(value)) return;
    const writer = this.#writerOf(value);
    const file = writer?.file;
    const maker = classOf(value);
    if (file === undefined && maker !== undefined && this.#finds.count(maker) > limits.ofOneClass) return;
    // What is inside an object that has a view is the library's.
    const inside = isPlain(value) && !isKnown ? item : withDistance(item, file !== undefined);
    if (types.isMap(value) || types.isSet(value)) this.#entries(value, inside);
    if (file !== undefined) {
      const count = this.#finds.count(Object.getPrototypeOf(value));
      this.#finds.instance(value, file, inside.place, count);
      const hidden = mayHavePrivateFields(value) ? [...this.#session.privateFields(value)] : [];
      for (const [name, field] of hidden) this.#addBelow(inside, name, field);
      if (count === 1) this.#fields(value, hidden);
    } else if (writer !== undefined && !isKnown) {
      if (item.distance <= limits.nearDistance) this.#finds.ofLibrary(value, item.place);
      if (this.#finds.isVariable(value)) this.#fields(value, []);
    }
    this.#properties(value, inside);
    this.#classes(value, inside);
  }

  #entries(value: object, inside: Item): void {
    let count = 0;
    for (const [key, entry] of entriesOf(value)) {
      if (++count > limits.entries) return;
      this.#addBelow(inside, key, entry);
    }
  }

  /** The fields of the first object of a class, unless they are components. */
  #fields(value: object, hidden: readonly (readonly [string, unknown])[]): void {
    const names = Object.keys(value).filter((name) => !name.startsWith('_'));
    for (const [name, field] of [...hidden, ...names.map((name) => [name, own(value, name)] as const)])
      if (isObject(field) && !types.isProxy(field) && this.#writerOf(field)?.file === undefined)
        this.#finds.field(value, name, field);
  }

  #properties(value: object, inside: Item): void {
    for (const key of Reflect.ownKeys(value).slice(0, limits.properties))
      if (!hiddenProperties.has(key)) for (const part of partsAt(value, key)) this.#addBelow(inside, key, part);
  }

  /** A class leads to its module, and sees what its methods see. */
  #classes(value: object, inside: Item): void {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype === null || isBuiltIn(prototype) || this.#seen.has(prototype)) return;
    const maker = own(prototype, 'constructor');
    if (typeof maker !== 'function') {
      this.#addBelow(inside, 'prototype', prototype);
      return;
    }
    this.#seen.add(prototype);
    this.#add(maker, { ...inside.place, name: 'constructor', how: 'class' }, inside.distance);
    this.#classes(prototype, withDistance(inside, false));
  }

  #visitFunction(code: object, item: Item): void {
    this.#known(code, item);
    const text = `${item.place.file} ${Function.prototype.toString.call(code)}`;
    if (!isNative(code) && this.#finds.count(text) > limits.ofOneText) return;
    const { location, scopes, bound } = this.#session.detailsOf(code);
    // What serves this search, such as our timers, leads to the search itself; what Node has made, to nothing of the application.
    if (location !== undefined && (location.scriptId === this.#ownScript || isOfNode(scopes))) return;
    for (const each of bound) this.#addBelow(item, 'bound', each);
    const file = location && this.#files.fileOf(code, location, item.place.file);
    this.#properties(code, withDistance(item, file !== undefined));
    if (file !== undefined) this.#ownScopes(code, scopes, file);
    // The way to the application may lead through a closure of a library.
    else
      for (const { variables } of scopes)
        for (const [name, value] of variablesIn(variables))
          this.#add(value, { name, file: undefined, how: 'closure of a library' }, item.distance + 1);
  }

  /** The last scope is that of the module. */
  #ownScopes(code: object, scopes: readonly Scope[], file: string): void {
    const index = scopes.length - 1;
    for (const { kind, variables } of scopes.slice(0, index)) {
      // A function without a name is called by what it was assigned to.
      const inside = /\((?:(?:module\.)?exports(?:\.|(?=\)$)))?(.*)\)$/.exec(kind)?.[1] ?? '';
      const how = inside === '' ? 'variable of a block or function' : `variable of ${inside}()`;
      for (const [key, value] of variablesIn(variables)) {
        if (!isObject(value)) continue;
        const place = { name: inside === '' ? key : `${inside}.${key}`, file, how };
        this.#finds.variable(value, place);
        this.#add(value, place, 0);
      }
    }
    const how = 'variable of the module that functions use';
    this.#module(file, scopes[index]?.variables ?? {}, variablesOf(this.#session, code, index), how, 0);
  }

  /** The variables of a module, from the function with the most of them in scope. */
  #module(file: string, seen: object, variables: () => object, how: string, distanceOfCode: number): void {
    if (!this.#files.isOwn(file)) return;
    const size = Object.keys(seen).length;
    const shown = (this.#modules.get(file)?.size ?? -1) < size ? Object.entries(ownVariables(seen)) : [];
    if (shown.length > 0) this.#modules.set(file, { file, variables, how, size });
    for (const [name, value] of shown) {
      const place = { name, file, how };
      if (isObject(value)) this.#finds.variable(value, place);
      this.#add(value, place, 0);
    }
    // Functions are no components, but they see some.
    for (const [name, value] of variablesIn(seen))
      this.#add(value, { name, file, how: 'variable of the module' }, distanceOfCode);
  }

  /** The file of the class of an object, or that it belongs to a library; undefined for built-in classes. */
  #writerOf(value: object): { readonly file: string | undefined } | undefined {
    const maker = classOf(value);
    if (maker === undefined || this.#ignored.has(maker)) return undefined;
    if (!this.#writers.has(maker)) {
      const { location, scopes = [] } = isNative(maker) ? {} : this.#session.detailsOf(maker);
      const file = location && this.#files.fileOf(maker, location);
      const isOthers = location !== undefined && !isOfNode(scopes);
      this.#writers.set(maker, file !== undefined || isOthers ? { file } : undefined);
    }
    return this.#writers.get(maker);
  }
}

/** As far as what is inside of something is: the application's own, or a library's. */
const withDistance = (item: Item, isOwn: boolean): Item => ({
  ...item,
  distance: isOwn ? 0 : Math.max(1, item.distance),
});

/** Of functions, they throw or lead to objects that are searched otherwise. */
const hiddenProperties = new Set<PropertyKey>(['prototype', 'caller', 'arguments']);
