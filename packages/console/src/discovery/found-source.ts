import { basename, extname } from 'node:path';
import type { BeanDescription, BeanSource, BeanValue } from '@jig/bean-inspection';
import { fromAwilix, fromInversify, fromNest, fromTsyringe } from '@jig/bean-inspection/internal';
import { typeName } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import type { Found } from './discovery.ts';
import { type Find, type FoundContainer, type FoundModule, type Rank, ranks } from './finds.ts';
import type { ContainerKind } from './known-shapes.ts';

const readers = {
  awilix: fromAwilix,
  inversify: fromInversify,
  nest: fromNest,
  tsyringe: fromTsyringe,
} as Readonly<Record<ContainerKind, (container: object) => BeanSource>>;

/** A bean of the list; undefined once the application has dropped it. */
type Entry = (
  name: string,
) =>
  | { readonly description: BeanDescription; peek(): BeanValue | undefined; get(context: unknown): Promise<BeanValue> }
  | undefined;

/** The discovered objects as beans, by weak references: what the application drops disappears here too. */
export class FoundSource implements BeanSource {
  readonly create = 'explicit';
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #ranked = new Map<string, { readonly rank: Rank; readonly entry: Entry }>();
  /** The last number of each name that occurs more than once. */
  readonly #numbers = new Map<string, number>();

  constructor(found: Found, files: ApplicationFiles) {
    const contained = new Set<object>();
    for (const container of found.containers) this.#container(container, contained);
    const finds = found.finds.filter(({ value }) => !contained.has(value));
    const names = moduleNames(
      new Set([...finds.flatMap(({ file }) => file ?? []), ...found.modules.map(({ file }) => file)]),
    );
    for (const find of finds) this.#find(find, names);
    for (const module of found.modules) this.#module(module, names.get(module.file) as string, files);
    const inOrder = [...this.#ranked].sort(([, one], [, other]) => ranks.indexOf(one.rank) - ranks.indexOf(other.rank));
    this.#entries = new Map(inOrder.map(([name, { entry }]) => [name, entry]));
  }

  describe(): readonly BeanDescription[] {
    return [...this.#entries].flatMap(([name, entry]) => entry(name)?.description ?? []);
  }

  has(name: string): boolean {
    return this.#entries.get(name)?.(name) !== undefined;
  }

  peek(name: string): BeanValue | undefined {
    return this.#entries.get(name)?.(name)?.peek();
  }

  async get(name: string, context: unknown): Promise<BeanValue> {
    const bean = this.#entries.get(name)?.(name);
    if (bean === undefined) throw new Error(`The application has dropped ${name}.`);
    return bean.get(context);
  }

  #add(name: string, rank: Rank, entry: Entry): void {
    let free = name;
    let number = this.#numbers.get(name) ?? 1;
    while (this.#ranked.has(free)) free = `${name}#${++number}`;
    this.#numbers.set(name, number);
    this.#ranked.set(free, { rank, entry });
  }

  #find({ value, rank, name, file, owner, how }: Find, names: ReadonlyMap<string, string>): void {
    const full = file === undefined ? name : [names.get(file), name].filter((part) => part !== '').join('.');
    const weak = new WeakRef(value);
    const type = typeName(value);
    this.#add(full, rank, (shown) => {
      const live = weak.deref();
      if (live === undefined) return undefined;
      return existing({ name: shown, type, owner, found: how, isMinor: rank === 'minor' }, () => live);
    });
  }

  #module({ file, variables, how }: FoundModule, name: string, files: ApplicationFiles): void {
    const owner = files.shown(file);
    this.#add(`module:${name}`, 'minor', (shown) =>
      existing({ name: shown, type: 'module', owner, found: how, isMinor: true }, variables),
    );
  }

  /** The beans of a container keep their names. */
  #container({ kind, value, how }: FoundContainer, contained: Set<object>): void {
    const container = new WeakContainer(kind, value);
    const found = `in a container of ${kind}, ${how}`;
    try {
      for (const name of container.described().keys()) {
        contained.add(container.source()?.peek(name)?.value as object);
        this.#add(name, 'known', (shown) => {
          const source = container.source();
          const description = container.described().get(name);
          if (source === undefined || description === undefined) return undefined;
          return {
            description: { ...description, name: shown, found },
            peek: () => source.peek(name),
            get: (context) => source.get(name, context),
          };
        });
      }
    } catch {
      // A container of an unsupported version is shown as an object.
      this.#find({ value, rank: 'known', name: kind, owner: kind, file: undefined, how }, new Map());
    }
  }
}

/** How long descriptions are reused: a list reads them for each of its beans. */
const describedMs = 50;

/** A container that the application may drop. */
class WeakContainer {
  readonly #kind: ContainerKind;
  readonly #weak: WeakRef<object>;
  #described: ReadonlyMap<string, BeanDescription> = new Map();
  #describedAt = Number.NEGATIVE_INFINITY;

  constructor(kind: ContainerKind, container: object) {
    this.#kind = kind;
    this.#weak = new WeakRef(container);
  }

  source(): BeanSource | undefined {
    const container = this.#weak.deref();
    return container && readers[this.#kind](container);
  }

  described(): ReadonlyMap<string, BeanDescription> {
    if (performance.now() - this.#describedAt < describedMs) return this.#described;
    this.#described = new Map((this.source()?.describe() ?? []).map((each) => [each.name, each]));
    this.#describedAt = performance.now();
    return this.#described;
  }
}

/** An existing bean. */
function existing(
  description: Pick<BeanDescription, 'name' | 'type' | 'owner' | 'found' | 'isMinor'>,
  read: () => unknown,
) {
  const peek = () => ({ value: read() });
  return {
    description: { ...description, scope: 'singleton', dependencies: 'unknown', instantiated: true } as const,
    peek,
    get: async () => peek(),
  };
}

/** A different name for each file, from its own name and as many folders as it takes: `orders`, `admin.orders`. */
export function moduleNames(files: Iterable<string>): ReadonlyMap<string, string> {
  const left = new Map([...files].map((file) => [file, pathParts(file)]));
  const names = new Map<string, string>();
  for (let count = 1; left.size > 0; count++) {
    const byName = new Map<string, string[]>();
    for (const [file, parts] of left) {
      const name = parts.slice(-count).join('.');
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [file]);
      else same.push(file);
    }
    for (const [name, same] of byName) {
      const isDecided = same.length === 1 || same.every((file) => (left.get(file) as string[]).length <= count);
      for (const file of isDecided ? same : []) {
        names.set(file, name);
        left.delete(file);
      }
    }
  }
  return names;
}

/** `index` is the name of its folder. */
function pathParts(file: string): string[] {
  const parts = file.split(/[\\/]/).filter((part) => part !== '' && part !== 'node_modules');
  const last = basename(file, extname(file));
  const folders = parts.slice(0, -1);
  return last === 'index' && folders.length > 0 ? folders : [...folders, last];
}
