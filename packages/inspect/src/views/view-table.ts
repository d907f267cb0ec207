import { poolMetrics } from './metrics.ts';
import { can, endpoint, has, isNamed } from './shape.ts';
import type { Reading, View } from './view.ts';

/** An object that a view has recognised by its shape. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is known to the view alone
export type Live = any; // oxlint-disable-line typescript/no-explicit-any

/** How to read a value: a path such as `options.max`, optionally with a unit after a space; a function; or an object with more facts. */
type Read = string | ((live: Live) => unknown) | Reading<Live>;

/** How an object is recognised: properties, methods and names of classes, separated by spaces; whether it is a function. */
interface Shape {
  readonly has?: string;
  readonly can?: string;
  readonly named?: string;
  readonly isFunction?: true;
}

interface Definition {
  /** Values that change. */
  readonly reads?: Readonly<Record<string, Read>>;
  /** Constants. */
  readonly settings?: Readonly<Record<string, Read>>;
  readonly content?: (live: Live) => unknown;
}

/** A view in a few lines. */
export function view(name: string, shape: Shape | ((value: object) => boolean), definition: Definition): View<Live> {
  const { reads = {}, settings = {}, content } = definition;
  const all = [
    ...Object.entries(reads).map(([key, read]) => [key, readingOf(read)] as const),
    ...Object.entries(settings).map(([key, read]) => [key, { ...readingOf(read), isSetting: true }] as const),
  ];
  const matches = typeof shape === 'function' ? shape : matcher(shape);
  return {
    name,
    matches: (value): value is Live => matches(value),
    ...(all.length === 0 ? {} : { readings: Object.fromEntries(all) }),
    ...(content === undefined ? {} : { content }),
  };
}

const words = (text: string | undefined) => text?.split(' ') ?? [];

function matcher({ has: properties, can: methods, named, isFunction }: Shape): (value: object) => boolean {
  const [someHas, someCan, someNamed] = [words(properties), words(methods), words(named)];
  return (value) =>
    (isFunction !== true || typeof value === 'function') &&
    (named === undefined || isNamed(value, ...someNamed)) &&
    has(value, ...someHas) &&
    can(value, ...someCan);
}

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
