/** Where time goes, from the wire inwards. */
export const layers = [
  'writing to sockets',
  'native code: reading sockets, parsing HTTP',
  'Node: http, streams, timers',
  'Fastify',
  'host',
  'sessions',
  'clock',
  'bean inspection: routes and access',
  'bean inspection: walk and writers',
  'other libraries',
  'garbage collection',
] as const;

export type Layer = (typeof layers)[number];

/** A function that was seen at work. */
export interface SeenFunction {
  readonly name: string;
  /** `node:net`, or the path of the source from the root of the repository. Of what has none of its own, that of its caller. */
  readonly source: string;
  /** Not written in JavaScript. */
  readonly isNative: boolean;
}

/** Functions of V8's own making, by the names that its profiles give them. */
const ofTheEngine: Readonly<Record<string, Layer>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code: reading sockets, parsing HTTP',
};

const socketWrite = /^(writev|write(Buffer|Latin1String|Utf8String|AsciiString)|shutdown)$/;

/** The first that fits. */
const bySource: readonly (readonly [RegExp, Layer])[] = [
  [/^node:/, 'Node: http, streams, timers'],
  [/node_modules\/(@fastify\/|fastify|find-my-way|avvio|fastq|reusify|light-my-request)/, 'Fastify'],
  [/node_modules\//, 'other libraries'],
  [/^packages\/sessions\//, 'sessions'],
  [/^packages\/clock\//, 'clock'],
  [/^packages\/bean-inspection\//, 'bean inspection: routes and access'],
  [/^packages\/inspect\//, 'bean inspection: walk and writers'],
];

export function layerOf({ name, source, isNative }: SeenFunction): Layer {
  if (isNative && source.startsWith('node:') && socketWrite.test(name)) return 'writing to sockets';
  return ofTheEngine[name] ?? bySource.find(([pattern]) => pattern.test(source))?.[1] ?? 'host';
}
