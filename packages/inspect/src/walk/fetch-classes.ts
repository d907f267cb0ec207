/** Node loads these with the first of them that is asked for, which takes up to 80 ms and leaves a global. */
export const fetchClassNames: ReadonlySet<string> = new Set(
  'Headers FormData Request Response MessageEvent WebSocket CloseEvent ErrorEvent EventSource'.split(' '),
);

/** The global that they leave. */
const trace = Symbol.for('undici.globalDispatcher.1');

type FetchClasses = Partial<Record<string, { readonly prototype: object }>>;

/** A class of fetch; undefined until something has loaded them, since nothing can be of one before. */
export const fetchClass = (name: string): { readonly prototype: object } | undefined =>
  Object.hasOwn(globalThis, trace) ? (globalThis as unknown as FetchClasses)[name] : undefined;

let prototypes: ReadonlySet<object> = new Set();

export function isFetchPrototype(prototype: object): boolean {
  if (prototypes.size === 0 && Object.hasOwn(globalThis, trace))
    prototypes = new Set([...fetchClassNames].flatMap((name) => fetchClass(name)?.prototype ?? []));
  return prototypes.has(prototype);
}
