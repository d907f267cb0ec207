import { poolMetrics } from './metrics.ts';
import { endpoint, Traits } from './shape.ts';
import type { Reading, View } from './view.ts';

/** An object that a view has recognised by its shape. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is known to the view alone
export type Live = any; // oxlint-disable-line typescript/no-explicit-any

/** How to read a value: a path such as `options.max`, optionally with a unit after a space; a function; or an object with more facts. */
type Read = string | ((live: Live) => unknown) | Reading<Live>;

/** How an object is recognised: properties, methods and names of classes, separated by spaces; whether it is a function; and what else. */
interface Shape {
  readonly has?: string;
  readonly can?: string;
  readonly named?: string;
  readonly isFunction?: true;
  readonly is?: (value: object, traits: Traits) => boolean;
}

interface Definition {
  /** Values that change. */
  readonly reads?: Readonly<Record<string, Read>>;
  /** Constants. */
  readonly settings?: Readonly<Record<string, Read>>;
  readonly content?: (live: Live) => unknown;
}

const words = (text: string | undefined) => text?.split(' ') ?? [];

/** A view that can be asked with traits that are known. */
export class TableView implements View<Live> {
  readonly name: string;
  readonly readings?: Readonly<Record<string, Reading<Live>>>;
  readonly content?: (live: Live) => unknown;
  readonly #shape: Shape;
  readonly #has: readonly string[];
  readonly #can: readonly string[];
  readonly #named: readonly string[];

  constructor(name: string, shape: Shape, { reads = {}, settings = {}, content }: Definition) {
    this.name = name;
    this.#shape = shape;
    [this.#has, this.#can, this.#named] = [words(shape.has), words(shape.can), words(shape.named)];
    const all = [
      ...Object.entries(reads).map(([key, read]) => [key, readingOf(read)] as const),
      ...Object.entries(settings).map(([key, read]) => [key, { ...readingOf(read), isSetting: true }] as const),
    ];
    if (all.length > 0) this.readings = Object.fromEntries(all);
    if (content !== undefined) this.content = content;
  }

  matches(value: object, traits = new Traits(value)): value is Live {
    const { isFunction, is } = this.#shape;
    return (
      (isFunction !== true || typeof value === 'function') &&
      (this.#named.length === 0 || traits.isNamed(...this.#named)) &&
      traits.has(...this.#has) &&
      traits.can(...this.#can) &&
      (is === undefined || is(value, traits))
    );
  }
}

/** A view in a few lines. */
export const view = (name: string, shape: Shape, definition: Definition) => new TableView(name, shape, definition);

function readingOf(read: Read): Reading<Live> {
  if (typeof read === 'object') return read;
  if (typeof read === 'function') return { read };
  const [path = '', unit] = read.split(' ');
  return { read: (live) => valueAt(live, path), ...(unit === undefined ? {} : { unit }) };
}

const valueAt = (live: Live, path: string): unknown =>
  path.split('.').reduce((value: Live, name) => value?.[name], live);

/** A reading with its maximum. */
export const of = (read: Read, most: Read): Reading<Live> => {
  const reading = readingOf(most);
  return { ...readingOf(read), of: (live) => reading.read(live) };
};

/** The address in an object at a path, or in the object itself. */
export const address = (path?: string) => (live: Live) => {
  const options = path === undefined ? live : (valueAt(live, path) as Live);
  return options?.path ?? endpoint(options?.host, options?.port);
};

/** The readings of a pool, with their metrics, of what `inner` leads to. `connections` has only the metric of its maximum. */
export function pool(reads: Partial<Record<keyof typeof poolMetrics, Read>>, inner = (live: Live): Live => live) {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => {
      const reading = readingOf(read);
      const hasMost = reading.of !== undefined;
      const metric = !hasMost && name === 'connections' ? {} : poolMetrics[name as keyof typeof poolMetrics];
      const most = hasMost ? { of: (live: Live) => reading.of?.(inner(live)) } : {};
      return [name, { ...reading, ...metric, read: (live: Live) => reading.read(inner(live)), ...most }];
    }),
  );
}
