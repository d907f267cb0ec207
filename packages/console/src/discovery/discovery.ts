import { types } from 'node:util';
import { type InnerSession, mayHavePrivateFields, type Scope } from '@jig/inspect/internal';
import { type ApplicationFiles, type CapturedModules, fileOfUrl } from './application-files.ts';
import { type Find, Finds, type Place } from './finds.ts';
import { type ContainerKind, containerKind, frameworkOf, knownView, serverName } from './kinds.ts';
import { exportsOf, exportsOfEsModules, type HeapRoots, type Root, rootsOfProcess } from './roots.ts';
import { Slices } from './slices.ts';
import {
  classOf,
  descriptorParts,
  entriesOf,
  isBound,
  isBuiltIn,
  isNative,
  isObject,
  isPlain,
  own,
  shownKey,
} from './values.ts';
import {
  ignoredObjects,
  isOfNode,
  mergedVariables,
  ownVariables,
  updateModuleExports,
  variablesIn,
  variablesOf,
} from './variables.ts';

export interface DiscoveryOptions {
  readonly session: InnerSession;
  readonly files: ApplicationFiles;
  readonly captured?: CapturedModules | undefined;
  /** Where the heap is searched too. */
  readonly heap?: HeapRoots | undefined;
  /** The socket of the agent, which is not listed as a server of the application. */
  readonly socket?: string | undefined;
  /** The URL of the folder of Jig's own modules, which are skipped. */
  readonly ownFolder?: string | undefined;
  /** Multiplies the limits on time and visited objects. */
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
  /** How many objects were not visited because the search reached its limits. */
  readonly unvisited: number;
}

const limits = {
  visited: 60_000,
  /** Of CPU time. */
  milliseconds: 3000,
  /** How many closures of libraries a path may pass; beyond that, everything belongs to libraries. */
  distance: 5,
  /** Objects of libraries within this distance are listed. */
  nearDistance: 3,
  entries: 200,
  properties: 300,
  /** Objects of one class of Node or of a library, such as connections: more of them lead to nothing new. */
  ofOneClass: 100,
  /** Functions with the same source, such as closures made by one function: they see variables of the same names. */
  ofOneText: 3,
};

/** Every n-th visit is for an object of a library, if any is queued. */
const libraryTurn = 4;

/** An object to search. */
interface Item {
  readonly value: object;
  readonly place: Place;
  /** The distance from the application's own objects, which have 0; each closure of a library on the path adds 1. */
  readonly distance: number;
}

/** Finds the components of an application that does not describe itself. Runs none of its code, and works in time slices. */
export const discover = (options: DiscoveryOptions): Promise<Found> => new Discovery(options).run();

class Discovery {
  readonly #session: InnerSession;
  readonly #files: ApplicationFiles;
  readonly #options: DiscoveryOptions;
  readonly #slices = new Slices();
  readonly #ignored = new Set<unknown>(ignoredObjects());
  readonly #seen = new Set<object>();
  /** Objects of the application are visited before those of libraries. */
  readonly #queues: readonly [own: Item[], others: Item[]] = [[], []];
  readonly #finds: Finds;
  readonly #containers = new Map<object, FoundContainer>();
  readonly #modules = new Map<string, FoundModule>();
  readonly #origins = new Map<object, { readonly file: string | undefined } | undefined>();
  readonly #ownScript: string | undefined;
  #unvisited = 0;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#files = options.files;
    this.#finds = new Finds(options.files, (value) => this.#ignored.has(value));
    this.#ownScript = this.#session.detailsOf(discover).location?.scriptId;
  }

  async run(): Promise<Found> {
    const { captured = [], heap, ownFolder } = this.#options;
    updateModuleExports(this.#files);
    // First, so that open handles are found however long the rest takes.
    await this.#addRoots(rootsOfProcess(this.#session));
    await this.#addRoots(exportsOf(this.#files));
    await this.#addCaptured(captured);
    await this.#addRoots(exportsOfEsModules(this.#files, this.#session, ownFolder));
    await this.#files.read(this.#slices);
    await this.#visitAll();
    // Last, since an object that is reached from another one gets a better name, or is a part of it.
    if (heap !== undefined) {
      await this.#addRoots(heap.search((value) => this.#originOf(value)?.file !== undefined));
      await this.#visitAll();
    }
    await this.#finds.demoteMinor(this.#slices);
    return {
      finds: this.#finds.all.filter(({ value }) => !this.#containers.has(value)),
      containers: [...this.#containers.values()],
      modules: [...this.#modules.values()],
      unvisited: this.#unvisited,
    };
  }

  async #addRoots(roots: Iterable<Root | undefined>): Promise<void> {
    for (const root of roots) {
      await this.#slices.pause();
      if (!isObject(root?.value)) continue;
      const { value, place, kind } = root;
      if (kind === 'variable') this.#finds.variable(value, place);
      this.#add(value, place, kind === 'other' ? 1 : 0);
    }
  }

  /** Adds the modules whose variables `jig run` exposes. */
  async #addCaptured(captured: CapturedModules): Promise<void> {
    for (const [url, closure] of captured) {
      await this.#slices.pause();
      const file = fileOfUrl(url);
      const { location, scopes } = this.#session.detailsOf(closure);
      if (location !== undefined) this.#files.setFileOfScript(location.scriptId, file);
      // Most functions of the module see no more variables than this closure.
      this.#noteModule(file, mergedVariables(scopes), variablesOf(this.#session, closure), 'variable of the module', 1);
    }
  }

  /** Visits the queued objects and what they lead to, up to the limits. */
  async #visitAll(): Promise<void> {
    const { effort = 1 } = this.#options;
    const end = this.#slices.spent + limits.milliseconds * effort;
    const [ownItems, others] = this.#queues;
    let [nextOwn, nextOther] = [0, 0];
    for (let visited = 0; visited < limits.visited * effort && this.#slices.spent <= end; visited++) {
      const isOwn = nextOther >= others.length || (nextOwn < ownItems.length && visited % libraryTurn !== 0);
      const item = isOwn ? ownItems[nextOwn++] : others[nextOther++];
      if (item === undefined) break;
      try {
        this.#visit(item);
      } catch {
        // An object that throws is skipped.
      }
      await this.#slices.pause();
    }
    this.#unvisited += ownItems.length - nextOwn + others.length - nextOther;
    ownItems.length = 0;
    others.length = 0;
  }

  #add(value: unknown, place: Place, distance: number): void {
    if (!isObject(value) || this.#seen.has(value) || this.#ignored.has(value) || distance > limits.distance) return;
    const isCode = typeof value === 'function';
    // Reading the target of any other proxy may run its getters.
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
    // The agent's own server.
    if (server === '') return;
    if (server !== undefined) this.#noteServer(value, server, place);
    const kind = containerKind(value);
    // A container lists its components itself; reading its properties could create them.
    if (kind !== undefined) this.#containers.set(value, { kind, value, how: place.how });
    else if (typeof value === 'function') this.#visitFunction(value, item);
    else this.#visitObject(value, item);
  }

  /** Notes a server, and its request handlers that have properties, such as an application of a framework. */
  #noteServer(value: object, name: string, place: Place): void {
    this.#finds.note(value, 'server', { ...place, name, file: undefined }, 'node');
    const how = 'answers the requests of a server';
    for (const each of [own((own(value, '_events') ?? {}) as object, 'request')].flat())
      if (typeof each === 'function' && !types.isProxy(each) && Object.keys(each).length > 0)
        this.#finds.note(each, 'named', { name: `${name}.request`, file: undefined, how }, 'library');
  }

  /** Notes the application of a framework with its parts, or an object that has a view, such as a pool. Returns whether it has a view. */
  #noteKnown(value: object, { place, distance }: Item): boolean {
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
      else if (distance <= limits.nearDistance) this.#finds.libraryObject(value, place, view);
    return view !== undefined;
  }

  #visitObject(value: object, item: Item): void {
    const isKnown = this.#noteKnown(value, item);
    if (types.isPromise(value)) this.#add(this.#session.resultOf(value), item.place, item.distance);
    if (types.isPromise(value) || types.isNativeError(value) || ArrayBuffer.isView(value)) return;
    if (types.isModuleNamespaceObject(value)) return;
    const origin = this.#originOf(value);
    const file = origin?.file;
    const maker = classOf(value);
    if (file === undefined && maker !== undefined && this.#finds.count(maker) > limits.ofOneClass) return;
    // The contents of an object that has a view belong to its library.
    const inside = isPlain(value) && !isKnown ? item : withDistance(item, file !== undefined);
    if (types.isMap(value) || types.isSet(value)) this.#addEntries(value, inside);
    if (file !== undefined) {
      const count = this.#finds.count(Object.getPrototypeOf(value));
      this.#finds.instance(value, file, inside.place, count);
      const privateFields = mayHavePrivateFields(value) ? [...this.#session.privateFields(value)] : [];
      for (const [name, field] of privateFields) this.#addBelow(inside, name, field);
      if (count === 1) this.#noteFields(value, privateFields);
    } else if (origin !== undefined && !isKnown) {
      if (item.distance <= limits.nearDistance) this.#finds.libraryObject(value, item.place);
      if (this.#finds.isVariable(value)) this.#noteFields(value, []);
    }
    this.#addProperties(value, inside);
    this.#addClasses(value, inside);
  }

  #addEntries(value: object, inside: Item): void {
    let count = 0;
    for (const [key, entry] of entriesOf(value)) {
      if (++count > limits.entries) return;
      this.#addBelow(inside, key, entry);
    }
  }

  /** Notes the fields of the first object of a class, except objects of the application's own classes. */
  #noteFields(value: object, privateFields: readonly (readonly [string, unknown])[]): void {
    const names = Object.keys(value).filter((name) => !name.startsWith('_'));
    for (const [name, field] of [...privateFields, ...names.map((name) => [name, own(value, name)] as const)])
      if (isObject(field) && !types.isProxy(field) && this.#originOf(field)?.file === undefined)
        this.#finds.field(value, name, field);
  }

  #addProperties(value: object, inside: Item): void {
    for (const key of Reflect.ownKeys(value).slice(0, limits.properties))
      if (!skippedKeys.has(key)) for (const part of descriptorParts(value, key)) this.#addBelow(inside, key, part);
  }

  /** Adds the class of an object and its base classes, which lead to the variables of their modules. */
  #addClasses(value: object, inside: Item): void {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype === null || isBuiltIn(prototype) || this.#seen.has(prototype)) return;
    const maker = own(prototype, 'constructor');
    if (typeof maker !== 'function') {
      this.#addBelow(inside, 'prototype', prototype);
      return;
    }
    this.#seen.add(prototype);
    this.#add(maker, { ...inside.place, name: 'constructor', how: 'class' }, inside.distance);
    this.#addClasses(prototype, withDistance(inside, false));
  }

  #visitFunction(code: object, item: Item): void {
    this.#noteKnown(code, item);
    const text = `${item.place.file} ${Function.prototype.toString.call(code)}`;
    if (!isNative(code) && this.#finds.count(text) > limits.ofOneText) return;
    const { location, scopes, bound } = this.#session.detailsOf(code);
    // Our own functions would lead to the search itself, and those of Node to nothing of the application.
    if (location !== undefined && (location.scriptId === this.#ownScript || isOfNode(scopes))) return;
    for (const each of bound) this.#addBelow(item, 'bound', each);
    const file = location && this.#files.fileOf(code, location, item.place.file);
    this.#addProperties(code, withDistance(item, file !== undefined));
    if (file !== undefined) this.#visitScopes(code, scopes, file);
    // A closure of a library may lead to objects of the application.
    else
      for (const { variables } of scopes)
        for (const [name, value] of variablesIn(variables))
          this.#add(value, { name, file: undefined, how: 'closure of a library' }, item.distance + 1);
  }

  /** The last scope is that of the module. */
  #visitScopes(code: object, scopes: readonly Scope[], file: string): void {
    const index = scopes.length - 1;
    for (const { kind, variables } of scopes.slice(0, index)) {
      // V8 names an anonymous function after what it was assigned to.
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
    this.#noteModule(file, scopes[index]?.variables ?? {}, variablesOf(this.#session, code, index), how, 0);
  }

  /** Notes the variables of a module as seen by one of its functions; the function that sees the most of them wins. */
  #noteModule(file: string, seen: object, variables: () => object, how: string, distanceOfCode: number): void {
    if (!this.#files.isOwn(file)) return;
    const size = Object.keys(seen).length;
    const shown = (this.#modules.get(file)?.size ?? -1) < size ? Object.entries(ownVariables(seen)) : [];
    if (shown.length > 0) this.#modules.set(file, { file, variables, how, size });
    for (const [name, value] of shown) {
      const place = { name, file, how };
      if (isObject(value)) this.#finds.variable(value, place);
      this.#add(value, place, 0);
    }
    // Functions are not components, but their scopes lead to some.
    for (const [name, value] of variablesIn(seen))
      this.#add(value, { name, file, how: 'variable of the module' }, distanceOfCode);
  }

  /** Where the class of an object was written: a file of the application, or none for a library; undefined for built-in classes. */
  #originOf(value: object): { readonly file: string | undefined } | undefined {
    const maker = classOf(value);
    if (maker === undefined || this.#ignored.has(maker)) return undefined;
    if (!this.#origins.has(maker)) {
      const { location, scopes = [] } = isNative(maker) ? {} : this.#session.detailsOf(maker);
      const file = location && this.#files.fileOf(maker, location);
      const isOthers = location !== undefined && !isOfNode(scopes);
      this.#origins.set(maker, file !== undefined || isOthers ? { file } : undefined);
    }
    return this.#origins.get(maker);
  }
}

/** The item for the contents of an object that belongs to the application or to a library. */
const withDistance = (item: Item, isOwn: boolean): Item => ({
  ...item,
  distance: isOwn ? 0 : Math.max(1, item.distance),
});

/** Properties of functions that throw when read, or whose values are visited anyway. */
const skippedKeys = new Set<PropertyKey>(['prototype', 'caller', 'arguments']);
