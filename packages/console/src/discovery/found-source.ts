import type { BeanDescription, BeanSource, BeanValue } from '@jig/bean-inspection';
import { fromAwilix, fromInversify, fromNest, fromTsyringe } from '@jig/bean-inspection/internal';
import { typeName } from '@jig/inspect/internal';
import type { ApplicationFiles } from './application-files.ts';
import type { Found, FoundContainer, FoundModule } from './discovery.ts';
import { type Find, type Rank, ranks } from './finds.ts';
import type { ContainerKind } from './kinds.ts';
import { moduleNames } from './names.ts';

const readers = {
  awilix: fromAwilix,
  inversify: fromInversify,
  nest: fromNest,
  tsyringe: fromTsyringe,
} as Readonly<Record<ContainerKind, (container: object) => BeanSource>>;

interface Bean {
  readonly description: BeanDescription;
  peek(): BeanValue | undefined;
  get(context: unknown): Promise<BeanValue>;
}

/** Creates the bean with its name in the list; undefined once the application has dropped the object. */
type Entry = (name: string) => Bean | undefined;

/** The discovered objects as beans, by weak references: what the application drops disappears here too. */
export class FoundSource implements BeanSource {
  readonly create = 'explicit';
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #ranked = new Map<string, { readonly rank: Rank; readonly entry: Entry }>();
  /** The last number of each name that occurs more than once. */
  readonly #numbers = new Map<string, number>();

  constructor({ finds, containers, modules }: Found, files: ApplicationFiles) {
    const names = moduleNames([...finds.flatMap(({ file }) => file ?? []), ...modules.map(({ file }) => file)]);
    const contained = new Set<unknown>();
    for (const container of containers) this.#container(container, contained);
    for (const find of finds) if (!contained.has(find.value)) this.#find(find, names);
    for (const module of modules) this.#module(module, names, files);
    const inOrder = [...this.#ranked].sort(([, one], [, other]) => ranks.indexOf(one.rank) - ranks.indexOf(other.rank));
    this.#entries = new Map(inOrder.map(([name, { entry }]) => [name, entry]));
  }

  describe(): readonly BeanDescription[] {
    return [...this.#entries.keys()].flatMap((name) => this.#bean(name)?.description ?? []);
  }

  has(name: string): boolean {
    return this.#bean(name) !== undefined;
  }

  peek(name: string): BeanValue | undefined {
    return this.#bean(name)?.peek();
  }

  async get(name: string, context: unknown): Promise<BeanValue> {
    const bean = this.#bean(name);
    if (bean === undefined) throw new Error(`The application has dropped ${name}.`);
    return bean.get(context);
  }

  #bean(name: string): Bean | undefined {
    return this.#entries.get(name)?.(name);
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

  #module({ file, variables, how }: FoundModule, names: ReadonlyMap<string, string>, files: ApplicationFiles): void {
    const owner = files.shown(file);
    this.#add(`module:${names.get(file)}`, 'minor', (shown) =>
      existing({ name: shown, type: 'module', owner, found: how, isMinor: true }, variables),
    );
  }

  /** The beans of a container keep their names, and their descriptions until the next search. */
  #container({ kind, value, how }: FoundContainer, contained: Set<unknown>): void {
    const weak = new WeakRef(value);
    const found = `in a container of ${kind}, ${how}`;
    try {
      const now = readers[kind](value);
      for (const description of now.describe()) {
        const { name } = description;
        contained.add(now.peek(name)?.value);
        this.#add(name, 'known', (shown) => {
          const container = weak.deref();
          const source = container && readers[kind](container);
          if (source === undefined) return undefined;
          const instantiated = source.peek(name) !== undefined || description.instantiated;
          return {
            description: { ...description, name: shown, found, instantiated },
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

function existing(
  description: Pick<BeanDescription, 'name' | 'type' | 'owner' | 'found' | 'isMinor'>,
  read: () => unknown,
): Bean {
  const peek = () => ({ value: read() });
  return {
    description: { ...description, scope: 'singleton', dependencies: 'unknown', instantiated: true },
    peek,
    get: async () => peek(),
  };
}
