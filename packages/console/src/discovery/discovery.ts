import { types } from 'node:util';
import { type InnerSession, mayHavePrivateFields, type Scope } from '@jig/inspect/internal';
import { type ApplicationFiles, type CapturedModules, fileOfUrl } from './application-files.ts';
import { Finds, type Found, type FoundContainer, type FoundModule, type Place } from './finds.ts';
import { containerKind, knownFramework, knownView, serverName } from './known-shapes.ts';
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
  visited: 60_000,
  /** Of CPU time. */
  milliseconds: 3000,
  /** Closures and objects of libraries on the way to something: behind a few, all is theirs. */
  hops: 4,
  entries: 100,
  properties: 300,
  ofOneVariable: 3,
  /** Functions of one script of a library, and methods of one of its classes: they see the same variables. */
  ofOneScript: 60,
  methods: 3,
};
/** Each so many objects, one that belongs to a library comes before those that belong to the application. */
const turns = 4;

interface Item {
  readonly value: object;
  readonly place: Place;
  /** Whether it was reached through what is the application's own. */
  readonly isNear: boolean;
  /** How many closures of libraries were passed on the way. */
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
  readonly #ignored = new Set(notOfTheApplication());
  readonly #seen = new Set<object>();
  /** What belongs to the application comes before what belongs to libraries. */
  readonly #near: Item[] = [];
  readonly #far: Item[] = [];
  readonly #finds: Finds;
  readonly #containers = new Map<object, FoundContainer>();
  readonly #modules = new Map<string, FoundModule & { readonly size: number }>();
  readonly #writers = new Map<object, Writer | undefined>();
  readonly #effort: number;
  readonly #ownScript: string | undefined;
  #visited = 0;
  /** Objects that were not looked at. */
  #left = 0;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#effort = options.effort ?? 1;
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
      await this.#begin(heap.search((value) => this.#fileOfClassOf(value) !== undefined));
      await this.#visitAll();
    }
    for (const find of Array.from(this.#finds.values())) {
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
    let [near, far] = [0, 0];
    while (near < this.#near.length || far < this.#far.length) {
      if (this.#visited >= mostVisited || this.#slices.spent > end) break;
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
    this.#left += this.#near.length - near + this.#far.length - far;
    this.#near.length = 0;
    this.#far.length = 0;
  }

  async #begin(roots: Iterable<Root | undefined>): Promise<void> {
    for (const root of roots) {
      await this.#slices.pause();
      if (!isObject(root?.value)) continue;
      const { value, place, kind } = root;
      if (kind === 'variable') this.#variable(value, place);
      else this.#add({ value, place, isNear: kind === 'own', hops: 0 });
    }
  }

  /** The modules whose variables can be seen because they were started by us. */
  async #captured(captured: CapturedModules): Promise<void> {
    for (const [url, see] of captured) {
      await this.#slices.pause();
      const file = fileOfUrl(url);
      const { location, scopes } = this.#session.detailsOf(see);
      if (location !== undefined) this.#files.learn(location.scriptId, file);
      const how = 'variable of the module';
      this.#module({ file, variables: variablesOf(this.#session, see), how }, Number.POSITIVE_INFINITY);
      this.#code(merged(scopes), file);
    }
  }

  #add({ value, place, isNear, hops }: Omit<Item, 'value'> & { readonly value: unknown }): void {
    if (!isObject(value) || this.#seen.has(value) || this.#ignored.has(value) || hops > most.hops) return;
    const isCode = typeof value === 'function';
    // To ask for the target of another proxy may run getters of that.
    if (types.isProxy(value) ? !isCode : isCode && isNative(value) && !isBound(value)) return;
    this.#seen.add(value);
    (isNear ? this.#near : this.#far).push({ value, place, isNear, hops });
  }

  /** A variable of the application is a component. */
  #variable(value: object, place: Place): void {
    this.#finds.variable(value, place);
    this.#add({ value, place, isNear: true, hops: 0 });
  }

  #visit(item: Item): void {
    const { value, place } = item;
    if (types.isProxy(value)) {
      const { target, handler } = this.#session.partsOf(value) ?? {};
      for (const part of [target, handler]) this.#add({ ...item, value: part });
      return;
    }
    const server = serverName(value, this.#options.socket);
    // It is the one by which we are asked.
    if (server === '') return;
    if (server !== undefined) this.#finds.note(value, 'server', { ...place, name: server, file: undefined }, 'node');
    const kind = containerKind(value);
    if (kind !== undefined) {
      // Its components are asked for by what it offers, and some of its properties would create them.
      this.#containers.set(value, { kind, value, how: place.how });
      return;
    }
    if (typeof value === 'function') this.#visitFunction(value, item);
    else this.#visitObject(value, item);
  }

  /** The application of a framework, unless it is a part of another, what it holds, and what has a view: a pool, a cache. */
  #known(value: object, { place, isNear, hops }: Item): boolean {
    const view = knownView(value);
    const framework = knownFramework(value, view);
    if (framework !== undefined) {
      const { name, isPart = false } = framework;
      const isNamed = this.#finds.count(name) > 1 && place.file !== undefined;
      if (!isPart) this.#finds.note(value, 'known', isNamed ? place : { ...place, name, file: undefined }, name);
      for (const [key, each] of framework.held())
        if (isObject(each) && typeof each !== 'function' && !types.isProxy(each))
          this.#finds.note(each, 'known', { name: `${name}.${key}`, file: undefined, how: `held by ${name}` }, name);
    } else if (view !== undefined)
      if (isNear || place.how === 'on the heap') this.#finds.note(value, 'known', place);
      else this.#finds.ofLibrary(value, place, hops, view.name);
    return view !== undefined;
  }

  #visitObject(value: object, item: Item): void {
    // What is inside an object that has a view is the library's.
    const isKnown = this.#known(value, item);
    if (types.isPromise(value)) this.#add({ ...item, value: this.#session.resultOf(value) });
    if (isOpaque(value)) return;
    const writer = this.#writerOf(value);
    const file = writer?.file;
    const inside = { ...item, isNear: file !== undefined || (!isKnown && item.isNear && isPlain(value)) };
    if (types.isMap(value))
      for (const [key, held] of first(Map.prototype.entries.call(value), most.entries)) {
        this.#below(inside, typeof key === 'string' ? key : '…', held);
        this.#below(inside, '…', key);
      }
    if (types.isSet(value))
      for (const held of first(Set.prototype.values.call(value), most.entries)) this.#below(inside, '…', held);
    if (file !== undefined) this.#instance(value, file, inside);
    else if (writer !== undefined && !isKnown) this.#finds.ofLibrary(value, item.place, item.hops);
    this.#properties(value, inside);
    this.#methods(Object.getPrototypeOf(value), { ...item, isNear: file !== undefined });
    if (file === undefined && writer !== undefined && this.#finds.isVariable(value)) this.#fields(value, []);
  }

  /** An object of a class of the application. What the first of a class holds is shown too. */
  #instance(value: object, file: string, inside: Item): void {
    const isFirst = this.#finds.instance(value, file, inside.place);
    const hidden = mayHavePrivateFields(value) ? [...this.#session.privateFields(value)] : [];
    for (const [name, held] of hidden) this.#below(inside, name, held);
    if (isFirst) this.#fields(value, hidden);
  }

  /** What an object holds, unless that is a component by itself. */
  #fields(value: object, hidden: readonly (readonly [string, unknown])[]): void {
    const names = Object.keys(value).filter((name) => !name.startsWith('_'));
    const all = [...hidden, ...names.slice(0, most.entries).map((name) => [name, own(value, name)] as const)];
    for (const [name, held] of all)
      if (isObject(held) && !types.isProxy(held) && this.#fileOfClassOf(held) === undefined)
        this.#finds.field(value, name, held);
  }

  #properties(value: object, inside: Item): void {
    for (const key of Reflect.ownKeys(value).slice(0, most.properties))
      if (!hiddenProperties.has(key)) for (const part of partsAt(value, key)) this.#below(inside, key, part);
  }

  #below(item: Item, key: PropertyKey, value: unknown): void {
    this.#add({ ...item, value, place: { ...item.place, name: `${item.place.name}.${shownKey(key)}` } });
  }

  /** Methods lead to the module of their class. */
  #methods(prototype: object | null, item: Item): void {
    if (prototype === null || types.isProxy(prototype) || this.#seen.has(prototype)) return;
    if (prototype === Object.prototype || isBuiltIn(prototype)) return;
    this.#seen.add(prototype);
    const keys = Reflect.ownKeys(prototype);
    for (const key of item.isNear ? keys : keys.slice(0, most.methods))
      for (const value of partsAt(prototype, key))
        if (typeof value === 'function')
          this.#add({ ...item, value, place: { ...item.place, name: shownKey(key), how: 'method' } });
    this.#methods(Object.getPrototypeOf(prototype), { ...item, isNear: false });
  }

  #visitFunction(code: object, item: Item): void {
    this.#known(code, item);
    const { location, scopes, bound } = this.#session.detailsOf(code);
    // What serves this search, such as our timers, leads to the search itself.
    if (location !== undefined && location.scriptId === this.#ownScript) return;
    for (const each of bound) this.#below(item, 'bound', each);
    const file = location && this.#files.fileOf(code, location, item.place.file);
    const inside = { ...item, isNear: item.isNear && file !== undefined };
    this.#properties(code, inside);
    const prototype = own(code, 'prototype');
    if (isObject(prototype)) this.#methods(prototype, inside);
    if (location === undefined) return;
    if (file === undefined) this.#scopesOfOthers(scopes, location.scriptId, item);
    else this.#ownScopes(code, scopes, file);
  }

  /** The way to the application may lead through a closure of a library. */
  #scopesOfOthers(scopes: readonly Scope[], scriptId: string, { hops }: Item): void {
    if (isOfNode(scopes) || this.#finds.count(scriptId) > most.ofOneScript) return;
    for (const { variables } of scopes)
      for (const name of Object.keys(variables)) {
        const place = { name, file: undefined, how: 'closure of a library' };
        this.#add({ value: own(variables, name), place, isNear: false, hops: hops + 1 });
      }
  }

  /** The last scope is that of the module. Few of each other variable, since a function may run often. */
  #ownScopes(code: object, scopes: readonly Scope[], file: string): void {
    const index = scopes.length - 1;
    for (const { kind, variables } of scopes.slice(0, index)) {
      // A function without a name is called by what it was assigned to.
      const inside = /\((?:(?:module\.)?exports(?:\.|(?=\)$)))?(.*)\)$/.exec(kind)?.[1] ?? '';
      const where = inside === '' ? '' : `${inside}.`;
      const how = inside === '' ? 'variable of a block or function' : `variable of ${inside}()`;
      for (const [key, value] of variablesIn(variables)) {
        const place = { name: where + key, file, how };
        if (!isObject(value)) continue;
        if (this.#finds.count(`${file} ${place.name}`) <= most.ofOneVariable) this.#variable(value, place);
        else this.#add({ value, place, isNear: true, hops: 0 });
      }
    }
    const variables = scopes[index]?.variables ?? {};
    this.#code(variables, file);
    const how = 'variable of the module that functions use';
    const module = { file, variables: variablesOf(this.#session, code, index), how };
    this.#module(module, Object.keys(variables).length);
  }

  /** Functions of a module are no components, but they see some. */
  #code(variables: object, file: string): void {
    for (const [name, value] of variablesIn(variables))
      this.#add({ value, place: { name, file, how: 'variable of the module' }, isNear: true, hops: 0 });
  }

  /** The function that sees most of a module tells what is in it. */
  #module(module: FoundModule, size: number): void {
    const { file, how } = module;
    if (!this.#files.isOwn(file) || (this.#modules.get(file)?.size ?? -1) >= size) return;
    const variables = module.variables();
    if (Object.keys(variables).length > 0) this.#modules.set(file, { ...module, size });
    for (const [name, value] of variablesIn(variables)) if (isObject(value)) this.#variable(value, { name, file, how });
  }

  /** The file of the class of an object, if the application wrote it. */
  #fileOfClassOf(value: object): string | undefined {
    return this.#writerOf(value)?.file;
  }

  /** Who wrote the class of an object: the application, in a file, or somebody else; undefined for what Node and the language have. */
  #writerOf(value: object): Writer | undefined {
    const maker = classOf(value);
    if (maker === undefined || this.#ignored.has(maker)) return undefined;
    if (!this.#writers.has(maker)) {
      const { location, scopes = [] } = isNative(maker) ? {} : this.#session.detailsOf(maker);
      const file = location && this.#files.fileOf(maker, location);
      this.#writers.set(maker, location === undefined || isOfNode(scopes) ? undefined : { file });
    }
    return this.#writers.get(maker);
  }
}

interface Writer {
  readonly file: string | undefined;
}

/** Of functions, they throw or lead to what is looked at otherwise. */
const hiddenProperties = new Set<PropertyKey>(['prototype', 'caller', 'arguments']);
