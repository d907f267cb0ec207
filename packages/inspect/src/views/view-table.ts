import { poolMetrics } from './metrics.ts';
import { endpoint, Traits } from './shape.ts';
import type { Reading, View } from './view.ts';

/** An object that a view has recognised by its shape. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is known to the view alone
export type Live = any; // oxlint-disable-line typescript/no-explicit-any

/** How to read a value: a path such as `options.max`, optionally with a unit after a space; a function; or an object with more facts. */
type Read = string | ((live: Live) => unknown) | Reading<Live>;

interface Definition {
  // How an object is recognised: names separated by spaces.
  /** Properties that it must have. */
  readonly has?: string;
  /** Methods that it must have. */
  readonly can?: string;
  /** Classes, one of which it must be an instance of. */
  readonly named?: string;
  readonly isFunction?: true;
  /** What else it must be. */
  readonly is?: (value: object, traits: Traits) => boolean;
  /** Values that change. */
  readonly reads?: Readonly<Record<string, Read>>;
  /** Constants. */
  readonly settings?: Readonly<Record<string, Read>>;
  readonly content?: (live: Live) => unknown;
}

const words = (text: string | undefined) => text?.split(' ') ?? [];

/** A view that is defined by a table of names. `matches` can reuse the traits of an object. */
export class TableView implements View<Live> {
  readonly name: string;
  readonly readings?: Readonly<Record<string, Reading<Live>>>;
  readonly content?: (live: Live) => unknown;
  readonly #matches: (value: object, traits: Traits) => boolean;

  constructor(name: string, definition: Definition) {
    const { reads = {}, settings = {}, content, isFunction = false, is = () => true } = definition;
    const [has, can, named] = [words(definition.has), words(definition.can), words(definition.named)];
    const all = [
      ...Object.entries(reads).map(([key, read]) => [key, readingOf(read)] as const),
      ...Object.entries(settings).map(([key, read]) => [key, { ...readingOf(read), isSetting: true }] as const),
    ];
    this.name = name;
    if (all.length > 0) this.readings = Object.fromEntries(all);
    if (content !== undefined) this.content = content;
    this.#matches = (value, traits) =>
      (!isFunction || typeof value === 'function') &&
      (named.length === 0 || traits.isNamed(...named)) &&
      traits.has(...has) &&
      traits.can(...can) &&
      is(value, traits);
  }

  matches(value: object, traits = new Traits(value)): value is Live {
    return this.#matches(value, traits);
  }
}

export const view = (name: string, definition: Definition) => new TableView(name, definition);

function readingOf(read: Read): Reading<Live> {
  if (typeof read === 'object') return read;
  if (typeof read === 'function') return { read };
  const [path = '', unit] = read.split(' ');
  return { read: (live) => valueAt(live, path), ...(unit === undefined ? {} : { unit }) };
}

const valueAt = (live: Live, path: string): unknown =>
  path.split('.').reduce((value: Live, name) => value?.[name], live);

/** A reading with its maximum, shown as `3 of 10`. */
export const outOf = (read: Read, max: Read): Reading<Live> => {
  const reading = readingOf(max);
  return { ...readingOf(read), of: (live) => reading.read(live) };
};

/** The address in an object at a path, or in the object itself. */
export const address = (path?: string) => (live: Live) => {
  const options = path === undefined ? live : (valueAt(live, path) as Live);
  return options?.path ?? endpoint(options?.host, options?.port);
};

/** The readings of the pool that `inner` returns, with their metrics. `connections` only has a metric of its maximum. */
export function pool(reads: Partial<Record<keyof typeof poolMetrics, Read>>, inner = (live: Live): Live => live) {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => {
      const reading = readingOf(read);
      const hasMax = reading.of !== undefined;
      const metric = !hasMax && name === 'connections' ? {} : poolMetrics[name as keyof typeof poolMetrics];
      const max = hasMax ? { of: (live: Live) => reading.of?.(inner(live)) } : {};
      return [name, { ...reading, ...metric, read: (live: Live) => reading.read(inner(live)), ...max }];
    }),
  );
}
