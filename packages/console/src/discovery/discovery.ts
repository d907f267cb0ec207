import { types } from 'node:util';
import { type InnerSession, mayHavePrivateFields, type Scope, typeName } from '@jig/inspect/internal';
import { type ApplicationFiles, type CapturedModules, fileOfUrl } from './application-files.ts';
import {
  type ContainerKind,
  containerKind,
  isBuiltIn,
  isObject,
  isPlainObject,
  type KnownFramework,
  knownFramework,
  knownView,
  own,
  partsAt,
  serverName,
} from './known-shapes.ts';
import {
  activeHandles,
  isExportOfOthers,
  isGlobalOfNode,
  notOfTheApplication,
  updateExportsOfOthers,
} from './outside.ts';
import { Slices } from './slices.ts';

/** What comes first in a list: main components, then what holds state, then all else. */
export type Rank = 'main' | 'state' | 'rest';

/** Something that was found. */
export interface Find {
  readonly value: object;
  readonly rank: Rank;
  /** Its name within its file, or its whole name where it has no file. */
  readonly name: string;
  /** Where it comes from: a file of the application, or a framework. */
  readonly owner: string;
  readonly file: string | undefined;
  /** How it was found, for people. */
  readonly how: string;
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

export interface DiscoveryOptions {
  readonly session: InnerSession;
  readonly files: ApplicationFiles;
  readonly captured?: CapturedModules | undefined;
  /** Whether the heap is searched too, for which the process stops. */
  readonly heap?: boolean | undefined;
  /** The socket that we listen on ourselves. */
  readonly socket?: string | undefined;
}

const most = {
  hops: 4,
  visited: 60_000,
  depth: 24,
  entries: 100,
  properties: 300,
  functions: 6000,
  ofOneClass: 5,
  ofOneVariable: 3,
  milliseconds: 10_000,
};
/** How many functions of a script of somebody else are looked at: methods all see the same. */
const mostOfScript = { method: 3, other: 60 };
/** Methods of a class of somebody else that are looked at. */
const mostMethods = 3;

/** How something was reached. */
interface Place {
  readonly name: string;
  readonly file: string | undefined;
  readonly how: string;
}

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
  readonly #finds = new Map<object, Find>();
  readonly #containers = new Map<object, FoundContainer>();
  readonly #modules = new Map<string, FoundModule & { readonly size: number }>();
  readonly #fileOfClass = new Map<object, string | undefined>();
  readonly #counts = new Map<unknown, number>();
  #functions = 0;
  #visited = 0;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#files = options.files;
    this.#ignored = new Set(notOfTheApplication());
  }

  async run(): Promise<Found> {
    const end = performance.now() + most.milliseconds;
    updateExportsOfOthers();
    await this.#exports();
    await this.#captured();
    await this.#files.read(this.#slices);
    if (this.#options.heap === true) this.#heap();
    this.#seeds();
    let isCut = false;
    for (let near = 0, far = 0; near < this.#near.length || far < this.#far.length; ) {
      isCut = this.#visited >= most.visited || performance.now() > end;
      if (isCut) break;
      const item = (near < this.#near.length ? this.#near[near++] : this.#far[far++]) as Item;
      this.#visited++;
      try {
        this.#visit(item);
      } catch {
        // An object that cannot be looked at is not found; all others are.
      }
      await this.#slices.pause();
    }
    return {
      finds: [...this.#finds.values()].filter(({ value }) => !this.#containers.has(value)),
      containers: [...this.#containers.values()],
      modules: [...this.#modules.values()],
      statistics: { visited: this.#visited, functions: this.#functions, longestMs: this.#slices.longest, isCut },
    };
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

  /** What CommonJS modules export. Those that others need were loaded after them, and give their names. */
  async #exports(): Promise<void> {
    for (const [file, exports] of [...this.#files.loaded()].reverse()) {
      await this.#slices.pause();
      if (!isObject(exports) || types.isProxy(exports)) continue;
      const place = { name: '', file, how: 'exported by the module' };
      if (isPlainObject(exports)) this.#variables(exports, place);
      else this.#variable(exports, place);
      this.#add(exports, place, 1, true);
    }
  }

  #seeds(): void {
    for (const each of activeHandles())
      this.#add(each, { name: typeName(each), file: undefined, how: 'open handle' }, 1);
    for (const listeners of Object.values((own(process, '_events') as object | undefined) ?? {}))
      for (const each of [listeners].flat() as unknown[])
        this.#add(each, { name: 'process', file: undefined, how: 'listener of the process' }, 1);
    for (const key of Reflect.ownKeys(globalThis)) if (!isGlobalOfNode(key)) this.#global(key);
  }

  #global(key: PropertyKey): void {
    const value = own(globalThis, key);
    if (!isObject(value) || types.isProxy(value)) return;
    const place = { name: `global.${shownKey(key)}`, file: undefined, how: 'global variable' };
    this.#variable(value, place);
    this.#add(value, place, 1, true);
  }

  /** Finds each function of the application, and what only the heap knows, such as `this` of an arrow function. */
  #heap(): void {
    const { EventEmitter } = process.getBuiltinModule('node:events');
    const isCandidate = this.#files.candidates();
    for (const prototype of [EventEmitter.prototype, Map.prototype, Function.prototype])
      for (const each of this.#session.instancesOf(prototype)) {
        if (types.isProxy(each) || isPrototype(each) || Object.getPrototypeOf(each) === Map.prototype) continue;
        if (typeof each === 'function' && !isCandidate(each) && !(Object.keys(each).length > 0 && isDataFunction(each)))
          continue;
        const name = typeName(each).replace(/^function /, '');
        this.#add(each, { name, file: undefined, how: 'on the heap' }, 1);
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
    const { value, place, isNear } = item;
    const server = serverName(value, this.#options.socket);
    if (server === '') return;
    if (server !== undefined) this.#note(value, 'main', { ...place, name: server, file: undefined }, 'node');
    const container = containerKind(value);
    if (container !== undefined) {
      if (!this.#containers.has(value)) this.#containers.set(value, { kind: container, value, how: place.how });
      // Its components are asked for by what it offers, and some of its properties would create them.
      return;
    }
    const view = knownView(value);
    const framework = knownFramework(value, view);
    if (framework !== undefined) this.#framework(value, framework, place);
    else if (view !== undefined && (isNear || place.how === 'on the heap')) this.#note(value, 'main', place);
    // What is inside a library's object is the library's.
    const inside = view === undefined ? item : { ...item, isNear: false };
    if (typeof value === 'function') this.#visitFunction(value, inside);
    else this.#visitObject(value, inside);
  }

  /** The application of a framework, unless it is a part of another, and what it holds. */
  #framework(value: object, framework: KnownFramework, place: Place): void {
    const { name, isPart } = framework;
    const isFirst = this.#count(name) === 1;
    if (!isPart)
      this.#note(
        value,
        'main',
        isFirst || place.file === undefined ? { ...place, name, file: undefined } : place,
        name,
      );
    for (const [key, each] of framework.held())
      if (isObject(each) && typeof each !== 'function' && !types.isProxy(each))
        this.#note(each, 'main', { name: `${name}.${key}`, file: undefined, how: `held by ${name}` }, name);
  }

  #visitObject(value: object, item: Item): void {
    if (isOpaque(value)) return;
    const file = this.#fileOfClassOf(value);
    if (file !== undefined) this.#instance(value, file, item.place);
    const isOwn = file !== undefined || (item.isNear && isPlain(value));
    const inside = { ...item, isNear: isOwn };
    if (types.isMap(value))
      for (const [key, held] of first(Map.prototype.entries.call(value))) {
        this.#below(inside, typeof key === 'string' ? key : '…', held);
        this.#below(inside, '…', key);
      }
    if (types.isSet(value)) for (const held of first(Set.prototype.values.call(value))) this.#below(inside, '…', held);
    this.#properties(value, inside);
    if (file !== undefined && mayHavePrivateFields(value))
      for (const [name, held] of this.#session.privateFields(value)) this.#below(inside, name, held);
    this.#methods(Object.getPrototypeOf(value), { ...item, isNear: file !== undefined });
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
    if (this.#functions >= most.functions) return;
    this.#functions++;
    const { location, scopes, bound } = this.#session.detailsOf(code);
    for (const each of bound) this.#below(item, 'bound', each);
    const file = location && this.#files.fileOf(code, location);
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
    if (isOfNode(scopes) || this.#count(`${scriptId} ${kind}`) > mostOfScript[kind]) return;
    for (const { variables } of scopes)
      for (const key of Object.keys(variables))
        this.#add(
          own(variables, key),
          { name: key, file: undefined, how: 'closure of a library' },
          depth + 1,
          false,
          hops + 1,
        );
  }

  /** The variables of a function or block of the application. Few of each, since a function may run often. */
  #scope({ kind, variables }: Scope, file: string, depth: number): void {
    // A function without a name is called by what it was assigned to.
    const inside = /\((?:(?:module\.)?exports(?:\.|(?=\)$)))?(.*)\)$/.exec(kind)?.[1] ?? '';
    const where = inside === '' ? '' : `${inside}.`;
    const how = inside === '' ? 'variable of a block or function' : `variable of ${inside}()`;
    for (const key of Object.keys(variables)) {
      if (wrapperVariables.has(key)) continue;
      const place = { name: where + key, file, how };
      const value = own(variables, key);
      if (isObject(value) && this.#count(`${file} ${place.name}`) <= most.ofOneVariable) this.#variable(value, place);
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
    for (const key of Object.keys(variables))
      if (!wrapperVariables.has(key))
        this.#add(own(variables, key), { name: key, file, how: 'variable of the module' }, depth, true);
  }

  /** The function that sees most of a module tells what is in it. */
  #module(module: FoundModule, size: number): void {
    const { file } = module;
    if (!this.#files.isOwn(file) || (this.#modules.get(file)?.size ?? -1) >= size) return;
    this.#modules.set(file, { ...module, size });
    this.#variables(module.variables(), { name: '', file, how: module.how });
  }

  #variables(variables: object, place: Place): void {
    for (const key of Object.keys(variables)) {
      const value = own(variables, key);
      if (!isObject(value) || types.isProxy(value)) continue;
      this.#variable(value, { ...place, name: key });
      this.#add(value, { ...place, name: key }, 1, true);
    }
  }

  /** A variable of the application is a component, unless it is code, or what a library exports. */
  #variable(value: object, place: Place): void {
    if (this.#ignored.has(value) || types.isProxy(value) || types.isModuleNamespaceObject(value)) return;
    if (isExportOfOthers(value)) return;
    if (typeof value === 'function' && !isDataFunction(value)) return;
    if (types.isPromise(value) || types.isNativeError(value) || types.isRegExp(value) || types.isDate(value)) return;
    this.#note(value, isPlainObject(value) ? 'rest' : 'state', place);
  }

  /** An object of a class of the application. Of many, each is data. */
  #instance(value: object, file: string, { how }: Place): void {
    if (this.#finds.has(value) || this.#count(Object.getPrototypeOf(value)) > most.ofOneClass) return;
    this.#finds.set(value, {
      value,
      rank: 'state',
      name: typeName(value),
      owner: this.#files.shown(file),
      file: undefined,
      how: `object of a class, ${how}`,
    });
  }

  /** What is found again, as something better, keeps the name of the variable that it is in, unless it is more than a variable. */
  #note(
    value: object,
    rank: Rank,
    { name, file, how }: Place,
    owner = file === undefined ? 'application' : this.#files.shown(file),
  ): void {
    const known = this.#finds.get(value);
    const isBetterNamed = known?.rank === rank && known.file === undefined && file !== undefined && rank !== 'main';
    if (known !== undefined && order[known.rank] <= order[rank] && !isBetterNamed) return;
    const isNamed = known?.file !== undefined && file !== undefined;
    this.#finds.set(
      value,
      isNamed ? { ...known, rank } : { value, rank, name, owner: known?.owner ?? owner, file, how },
    );
  }

  #count(key: unknown): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** The file of the class of an object, if the application wrote it. */
  #fileOfClassOf(value: object): string | undefined {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype === null || prototype === Object.prototype || isBuiltIn(prototype) || types.isProxy(prototype))
      return undefined;
    const maker = own(prototype, 'constructor');
    if (typeof maker !== 'function' || types.isProxy(maker) || isNative(maker)) return undefined;
    if (!this.#fileOfClass.has(maker)) {
      const { location } = this.#session.detailsOf(maker);
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

const isBound = (code: object) => {
  const name = own(code, 'name');
  return typeof name === 'string' && name.startsWith('bound ');
};

/** Of functions, they throw or lead to what is looked at otherwise. */
const hiddenProperties = new Set<PropertyKey>(['prototype', 'caller', 'arguments']);

const nameInNode =
  /^(?:[A-Z][a-z]+Prototype[A-Z]\w+|(?:Object|Reflect|Array|Promise|Symbol|Number|Math|JSON|Date|String)[A-Z]\w+|Safe[A-Z]\w+|internalBinding|primordials|ERR_[A-Z_]+)$/;

/** Whether a function is one of Node itself, whose modules begin with names of their own for what the language has. */
const isOfNode = (scopes: readonly Scope[]) =>
  Object.keys(scopes.at(-1)?.variables ?? {}).some((name) => nameInNode.test(name));

/** What a class gives to its objects. */
function isPrototype(value: object): boolean {
  const maker = own(value, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) && own(maker, 'prototype') === value;
}

/** What holds nothing of the application that could be seen. */
const isOpaque = (value: object) =>
  types.isPromise(value) ||
  types.isNativeError(value) ||
  ArrayBuffer.isView(value) ||
  types.isModuleNamespaceObject(value);

function* first<Item>(items: Iterable<Item>): Generator<Item> {
  let count = 0;
  for (const item of items) {
    if (++count > most.entries) return;
    yield item;
  }
}

const order: Readonly<Record<Rank, number>> = { main: 0, state: 1, rest: 2 };

const shownKey = (key: PropertyKey) => (typeof key === 'symbol' ? (key.description ?? 'symbol') : String(key));

const isNative = (code: object) => Function.prototype.toString.call(code).endsWith('{ [native code] }');

/** What holds things for its owner, and is nothing by itself. */
const isPlain = (value: object) =>
  isPlainObject(value) || Array.isArray(value) || types.isMap(value) || types.isSet(value);

/** What every module has, and the function that shows the others. */
const wrapperVariables = new Set([
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'arguments',
  'this',
  'jig$',
]);

/** The variables that the application wrote: no imported modules, no functions. */
function ownVariables(variables: object): object {
  const all: Record<string, unknown> = {};
  for (const key of Object.keys(variables)) {
    if (wrapperVariables.has(key)) continue;
    const value = own(variables, key);
    const isCode = typeof value === 'function' && !isDataFunction(value);
    if (!isCode && !types.isModuleNamespaceObject(value) && !isExportOfOthers(value)) all[key] = value;
  }
  return all;
}

/** An Express application is a function. */
const isDataFunction = (value: object) => !types.isProxy(value) && knownView(value) !== undefined;

/** Reads the variables that a function sees, in one of its scopes or all; keeps neither the function nor anything of the search. */
function variablesOf(session: InnerSession, code: object, index?: number): () => object {
  const weak = new WeakRef(code);
  return () => {
    const live = weak.deref();
    const { scopes } = live === undefined ? { scopes: [] } : session.detailsOf(live);
    return ownVariables(merged(index === undefined ? scopes : scopes.slice(index, index + 1)));
  };
}

const merged = (scopes: readonly Scope[]) => Object.assign({}, ...scopes.map(({ variables }) => variables)) as object;
