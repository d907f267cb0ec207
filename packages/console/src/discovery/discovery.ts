import { types } from 'node:util';
import { type InnerSession, mayHavePrivateFields, type Scope, typeName, type View } from '@jig/inspect/internal';
import { type ApplicationFiles, type CapturedModules, fileOfUrl } from './application-files.ts';
import {
  type Find,
  Finds,
  type Found,
  type FoundContainer,
  type FoundModule,
  isCalledLikeComponent,
  type Place,
} from './finds.ts';
import {
  componentName,
  containerKind,
  type KnownFramework,
  knownFramework,
  knownView,
  serverName,
} from './known-shapes.ts';
import { isOfNode, merged, variablesIn, variablesOf } from './module-variables.ts';
import {
  classOf,
  first,
  isBound,
  isBuiltIn,
  isNative,
  isObject,
  isOpaque,
  isPlain,
  own,
  partsAt,
  shownKey,
} from './object-kinds.ts';
import { notOfTheApplication, updateExportsOfOthers } from './outside.ts';
import { exportsOf, exportsOfEsModules, type HeapRoots, type Root, rootsOfProcess } from './roots.ts';
import { Slices } from './slices.ts';

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

const most = {
  hops: 4,
  visited: 60_000,
  depth: 24,
  entries: 100,
  properties: 300,
  functions: 6000,
  fields: 30,
  ofOneVariable: 3,
  /** Of CPU time. */
  milliseconds: 3000,
};
/** Each so many objects, one that belongs to a library comes before those that belong to the application. */
const turns = 4;
/** How many functions of a script of somebody else are looked at: methods all see the same. */
const mostOfScript = { method: 3, other: 60 };
/** Methods of a class of somebody else that are looked at. */
const mostMethods = 3;

const inLibrary = 'closure of a library';
/** Behind so few closures of libraries, their components are near to what is open. */
const nearHops = 2;

interface Item {
  readonly value: object;
  readonly place: Place;
  readonly depth: number;
  /** Whether it was reached through what is the application's own. */
  readonly isNear: boolean;
  /** How many scopes of somebody else were passed on the way: behind a few, all is theirs. */
  readonly hops: number;
}

/** Finds the components of an application that says nothing of itself. Runs none of its code, and works in slices. */
export async function discover(options: DiscoveryOptions): Promise<Found> {
  return new Discovery(options).run();
}

class Discovery {
  readonly #session: InnerSession;
  readonly #files: ApplicationFiles;
  readonly #options: DiscoveryOptions;
  readonly #slices = new Slices();
  readonly #ignored: ReadonlySet<object>;
  readonly #seen = new Set<object>();
  /** What belongs to the application comes before what belongs to libraries. */
  readonly #near: Item[] = [];
  readonly #far: Item[] = [];
  readonly #finds: Finds;
  readonly #containers = new Map<object, FoundContainer>();
  readonly #modules = new Map<string, FoundModule & { readonly size: number }>();
  readonly #fileOfClass = new Map<object, string | undefined>();
  readonly #effort: number;
  #ownScript: string | undefined;
  #functions = 0;
  #visited = 0;
  /** Objects that were not looked at. */
  #left = 0;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#effort = options.effort ?? 1;
    this.#session = options.session;
    this.#files = options.files;
    this.#ignored = new Set(notOfTheApplication());
    this.#finds = new Finds(options.files, (value) => this.#ignored.has(value));
  }

  async run(): Promise<Found> {
    updateExportsOfOthers(this.#files);
    // First, so that what is open is found however long the rest takes.
    await this.#begin(rootsOfProcess(this.#session));
    await this.#begin(exportsOf(this.#files));
    await this.#captured();
    await this.#begin(exportsOfEsModules(this.#files, this.#session, this.#options.ownFolder));
    await this.#files.read(this.#slices);
    await this.#visitAll();
    // Last, since what something leads to has a better name, and may be a part of that.
    const { heap } = this.#options;
    if (heap !== undefined) {
      await this.#begin(heap.search((value) => this.#fileOfClassOf(value) !== undefined));
      await this.#visitAll();
    }
    for (const find of Array.from(this.#finds.values())) {
      this.#partsOf(find);
      await this.#slices.pause();
    }
    for (const find of this.#finds.values()) {
      this.#finds.foldConstant(find, this.#files.changed);
      await this.#slices.pause();
    }
    return {
      finds: [...this.#finds.values()].filter(({ value }) => !this.#containers.has(value)),
      containers: [...this.#containers.values()],
      modules: [...this.#modules.values()],
      statistics: { longestMs: this.#slices.longest, left: this.#left },
    };
  }

  /** What was added, and what that leads to. */
  async #visitAll(): Promise<void> {
    const end = this.#slices.spent + most.milliseconds * this.#effort;
    const mostVisited = this.#visited + most.visited * this.#effort;
    for (let near = 0, far = 0; near < this.#near.length || far < this.#far.length; ) {
      if (this.#visited >= mostVisited || this.#slices.spent > end) {
        this.#left += this.#near.length - near + this.#far.length - far;
        break;
      }
      const isNear = far >= this.#far.length || (near < this.#near.length && this.#visited % turns !== 0);
      const item = (isNear ? this.#near[near++] : this.#far[far++]) as Item;
      this.#visited++;
      try {
        this.#visit(item);
      } catch {
        // An object that cannot be looked at is not found; all others are.
      }
      await this.#slices.pause();
    }
    this.#near.length = 0;
    this.#far.length = 0;
  }

  /** The modules whose variables can be seen because they were started by us. */
  async #captured(): Promise<void> {
    for (const [url, see] of this.#options.captured ?? []) {
      await this.#slices.pause();
      const file = fileOfUrl(url);
      const variables = variablesOf(this.#session, see);
      const { location, scopes } = this.#session.detailsOf(see);
      if (location !== undefined) this.#files.learn(location.scriptId, file);
      this.#module({ file, variables, how: 'variable of the module' }, Number.POSITIVE_INFINITY);
      this.#all(merged(scopes), file, 1);
    }
  }

  async #begin(roots: Iterable<Root | undefined>): Promise<void> {
    for (const root of roots) {
      await this.#slices.pause();
      if (!isObject(root?.value)) continue;
      const { value, place, kind } = root;
      if (kind === 'variable') this.#finds.variable(value, place);
      this.#add(value, place, 1, kind !== 'other');
    }
  }

  #add(value: unknown, place: Place, depth: number, isNear = false, hops = 0): void {
    if (!isObject(value) || this.#seen.has(value) || this.#ignored.has(value)) return;
    if (depth > most.depth || hops > most.hops || types.isProxy(value)) return;
    if (typeof value === 'function' && isNative(value) && !isBound(value)) return;
    this.#seen.add(value);
    (isNear ? this.#near : this.#far).push({ value, place, depth, isNear, hops });
  }

  #visit(item: Item): void {
    const { value, place } = item;
    const server = serverName(value, this.#options.socket);
    if (server === '') return;
    if (server !== undefined) this.#finds.note(value, 'server', { ...place, name: server, file: undefined }, 'node');
    const container = containerKind(value);
    if (container !== undefined) {
      if (!this.#containers.has(value)) this.#containers.set(value, { kind: container, value, how: place.how });
      // Its components are asked for by what it offers, and some of its properties would create them.
      return;
    }
    const view = knownView(value);
    const framework = knownFramework(value, view);
    if (framework !== undefined) this.#framework(value, framework, place);
    else if (view !== undefined) this.#viewed(value, view, item);
    // What is inside a library's object is the library's.
    const inside = view === undefined ? item : { ...item, isNear: false };
    if (typeof value === 'function') this.#visitFunction(value, inside);
    else this.#visitObject(value, inside);
  }

  /** Something that has a view is a component if the application has it, and not a library. */
  #viewed(value: object, view: View, { place, isNear }: Item): void {
    const name = componentName(view);
    if (isNear || place.how === 'on the heap') this.#finds.note(value, 'known', place);
    else if (name !== undefined) this.#finds.note(value, 'known', { ...place, name, file: undefined });
  }

  /** The application of a framework, unless it is a part of another, and what it holds. */
  #framework(value: object, framework: KnownFramework, place: Place): void {
    const { name, isPart } = framework;
    const isFirst = this.#finds.count(name) === 1;
    if (!isPart)
      this.#finds.note(
        value,
        'known',
        isFirst || place.file === undefined ? { ...place, name, file: undefined } : place,
        name,
      );
    for (const [key, each] of framework.held())
      if (isObject(each) && typeof each !== 'function' && !types.isProxy(each))
        this.#finds.note(each, 'known', { name: `${name}.${key}`, file: undefined, how: `held by ${name}` }, name);
  }

  #visitObject(value: object, item: Item): void {
    if (types.isPromise(value))
      this.#add(this.#session.resultOf(value), item.place, item.depth + 1, item.isNear, item.hops);
    if (isOpaque(value)) return;
    const file = this.#fileOfClassOf(value);
    const inside = { ...item, isNear: file !== undefined || (item.isNear && isPlain(value)) };
    if (types.isMap(value))
      for (const [key, held] of first(Map.prototype.entries.call(value), most.entries)) {
        this.#below(inside, typeof key === 'string' ? key : '…', held);
        this.#below(inside, '…', key);
      }
    if (types.isSet(value))
      for (const held of first(Set.prototype.values.call(value), most.entries)) this.#below(inside, '…', held);
    if (file !== undefined) this.#instance(value, file, inside);
    else this.#ofLibrary(value, item);
    this.#properties(value, inside);
    this.#methods(Object.getPrototypeOf(value), { ...item, isNear: file !== undefined });
  }

  /** What a library keeps in a variable near to what is open, if it is called like a component: the server of Apollo. */
  #ofLibrary(value: object, { place, hops }: Item): void {
    if (place.how !== inLibrary || hops > nearHops || place.name.includes('.') || classOf(value) === undefined) return;
    const name = typeName(value);
    if (isCalledLikeComponent(name) && this.#finds.count(Object.getPrototypeOf(value)) === 1)
      this.#finds.note(value, 'named', { ...place, name }, 'library');
  }

  /** An object of a class of the application. What the first of a class holds is shown too. */
  #instance(value: object, file: string, inside: Item): void {
    const isFirst = this.#finds.instance(value, file, inside.place);
    const hidden = mayHavePrivateFields(value) ? this.#session.privateFields(value) : [];
    for (const [name, held] of hidden) this.#below(inside, name, held);
    if (!isFirst) return;
    const names = Object.keys(value).filter((name) => name !== '_events');
    const fields = [...names.map((name) => [name, own(value, name)] as const), ...hidden];
    for (const [name, held] of fields.slice(0, most.fields))
      if (isObject(held) && !types.isProxy(held) && this.#fileOfClassOf(held) === undefined)
        this.#finds.field(value, name, held, this.#files.shown(file));
  }

  /** What an object of a library in a variable or field of the application is made of: the objects of classes in its public fields. */
  #partsOf({ value, rank, owner }: Find): void {
    if (rank === 'server' || rank === 'known' || isOpaque(value)) return;
    if (classOf(value) === undefined || this.#fileOfClassOf(value) !== undefined) return;
    for (const name of Object.keys(value).slice(0, most.fields)) {
      const held = name.startsWith('_') ? undefined : own(value, name);
      if (isObject(held) && typeof held !== 'function' && !types.isProxy(held) && classOf(held) !== undefined)
        this.#finds.field(value, name, held, owner);
    }
  }

  #properties(value: object, inside: Item): void {
    for (const key of Reflect.ownKeys(value).slice(0, most.properties))
      if (!hiddenProperties.has(key)) for (const part of partsAt(value, key)) this.#below(inside, key, part);
  }

  #below({ place, depth, isNear, hops }: Item, key: PropertyKey, value: unknown): void {
    this.#add(value, { ...place, name: `${place.name}.${shownKey(key)}` }, depth + 1, isNear, hops);
  }

  /** What methods see, which is the module of their class: of one of somebody else, few will do. */
  #methods(prototype: object | null, inside: Item): void {
    if (prototype === null || types.isProxy(prototype) || this.#seen.has(prototype)) return;
    if (prototype === Object.prototype || isBuiltIn(prototype)) return;
    this.#seen.add(prototype);
    const { place, depth, isNear, hops } = inside;
    const keys = Reflect.ownKeys(prototype);
    for (const key of isNear ? keys : keys.slice(0, mostMethods))
      for (const code of partsAt(prototype, key))
        if (typeof code === 'function')
          this.#add(code, { ...place, name: shownKey(key), how: 'method' }, depth + 1, isNear, hops);
    this.#methods(Object.getPrototypeOf(prototype), { ...inside, isNear: false });
  }

  #visitFunction(code: object, item: Item): void {
    if (this.#functions >= most.functions * this.#effort) {
      this.#left++;
      return;
    }
    this.#functions++;
    const { location, scopes, bound } = this.#session.detailsOf(code);
    // What serves this search, such as our timers, leads to the search itself.
    this.#ownScript ??= this.#session.detailsOf(discover).location?.scriptId;
    if (location !== undefined && location.scriptId === this.#ownScript) return;
    for (const each of bound) this.#below(item, 'bound', each);
    const file = location && this.#files.fileOf(code, location, item.place.file);
    const inside = { ...item, isNear: item.isNear && file !== undefined };
    this.#properties(code, inside);
    const prototype = own(code, 'prototype');
    if (isObject(prototype)) this.#methods(prototype, inside);
    if (location === undefined) return;
    if (file === undefined) this.#scopesOfOthers(scopes, location.scriptId, item);
    else
      for (const [index, scope] of scopes.entries())
        if (index < scopes.length - 1) this.#scope(scope, file, item.depth);
        else this.#moduleScope(scope, { code, file, index, depth: item.depth });
  }

  /** The way to the application may lead through a closure of a library. */
  #scopesOfOthers(scopes: readonly Scope[], scriptId: string, { place, depth, hops }: Item): void {
    const kind = place.how === 'method' ? 'method' : 'other';
    if (isOfNode(scopes) || this.#finds.count(`${scriptId} ${kind}`) > mostOfScript[kind]) return;
    for (const { variables } of scopes)
      for (const name of Object.keys(variables))
        this.#add(own(variables, name), { name, file: undefined, how: inLibrary }, depth + 1, false, hops + 1);
  }

  /** The variables of a function or block of the application. Few of each, since a function may run often. */
  #scope({ kind, variables }: Scope, file: string, depth: number): void {
    // A function without a name is called by what it was assigned to.
    const inside = /\((?:(?:module\.)?exports(?:\.|(?=\)$)))?(.*)\)$/.exec(kind)?.[1] ?? '';
    const where = inside === '' ? '' : `${inside}.`;
    const how = inside === '' ? 'variable of a block or function' : `variable of ${inside}()`;
    for (const [key, value] of variablesIn(variables)) {
      const place = { name: where + key, file, how };
      if (isObject(value) && this.#finds.count(`${file} ${place.name}`) <= most.ofOneVariable)
        this.#finds.variable(value, place);
      this.#add(value, place, depth + 1, true);
    }
  }

  #moduleScope({ variables }: Scope, { code, file, index, depth }: ModuleScopeOf): void {
    this.#all(variables, file, depth + 1);
    const how = 'variable of the module that functions use';
    this.#module({ file, variables: variablesOf(this.#session, code, index), how }, Object.keys(variables).length);
  }

  /** Functions of a module are no components, but they see some. */
  #all(variables: object, file: string, depth: number): void {
    for (const [name, value] of variablesIn(variables))
      this.#add(value, { name, file, how: 'variable of the module' }, depth, true);
  }

  /** The function that sees most of a module tells what is in it. */
  #module(module: FoundModule, size: number): void {
    const { file } = module;
    if (!this.#files.isOwn(file) || (this.#modules.get(file)?.size ?? -1) >= size) return;
    const variables = module.variables();
    if (Object.keys(variables).length > 0) this.#modules.set(file, { ...module, size });
    this.#variables(variables, { name: '', file, how: module.how });
  }

  #variables(variables: object, place: Place): void {
    for (const key of Object.keys(variables)) {
      const value = own(variables, key);
      if (!isObject(value) || types.isProxy(value)) continue;
      this.#finds.variable(value, { ...place, name: key });
      this.#add(value, { ...place, name: key }, 1, true);
    }
  }

  /** The file of the class of an object, if the application wrote it. */
  #fileOfClassOf(value: object): string | undefined {
    const maker = classOf(value);
    if (maker === undefined) return undefined;
    if (!this.#fileOfClass.has(maker)) {
      const { location } = isNative(maker) ? {} : this.#session.detailsOf(maker);
      this.#fileOfClass.set(maker, location && this.#files.fileOf(maker, location));
    }
    return this.#fileOfClass.get(maker);
  }
}

interface ModuleScopeOf {
  readonly code: object;
  readonly file: string;
  readonly index: number;
  readonly depth: number;
}

/** Of functions, they throw or lead to what is looked at otherwise. */
const hiddenProperties = new Set<PropertyKey>(['prototype', 'caller', 'arguments']);
