/** Thrown by `parse` for an invalid value; the message is what is expected in its place, to end a sentence with. */
export class InvalidValue extends Error {}

/** One entry of the configuration: its type, its default, and how to parse it from JSON, the environment or the command line. */
export interface Setting<Value = unknown> {
  readonly description: string;
  /** What is allowed, to end a sentence with: "expected an integer from 0 to 65535". */
  readonly expected: string;
  readonly default: Value;
  /** The environment variable, if it is not derived from the key. */
  readonly environment?: string;
  /** A short flag besides the one derived from the key, such as `--port`. */
  readonly flag?: string;
  /** Masked wherever the configuration is shown. An `address` may be named in messages when it holds neither user nor password. */
  readonly secret: boolean | 'address';
  /** The value of a flag that is given without one. */
  readonly bareFlag?: string;
  /** Throws `InvalidValue`. */
  parse(value: unknown): Value;
  /** Formats a value as a user would write it. */
  show(value: unknown): string;
}

export type SettingsSchema = Readonly<Record<string, Setting>>;

/** The values of a schema, by the same keys. */
export type SettingValues<Schema extends SettingsSchema> = {
  readonly [Key in keyof Schema]: Schema[Key] extends Setting<infer Value> ? Value : never;
};

interface SettingOptions<Value> {
  readonly description: string;
  readonly default: Value;
  readonly environment?: string;
  readonly flag?: string;
  readonly secret?: boolean | 'address';
  /** Returns what is expected instead of a value, to end a sentence with: "expected a colour such as #09f"; undefined for a valid one. */
  readonly validate?: (value: NonNullable<Value>) => string | undefined;
}

/**
 * A setting of a custom type.
 * @param expected what is allowed, to end a sentence with
 * @param read parses a value from JSON, the environment or a flag; returns undefined if it is of another type
 */
export function setting<Value>(
  { validate, ...options }: SettingOptions<Value>,
  expected: string,
  read: (value: unknown) => NonNullable<Value> | undefined,
): Setting<Value> {
  const parse = (given: unknown) => {
    const value = read(given);
    const problem = value === undefined ? expected : validate?.(value);
    if (value === undefined || problem !== undefined) throw new InvalidValue(problem);
    return value;
  };
  return { secret: false, ...options, expected, parse, show: formatValue };
}

function formatValue(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A string or a number as a string, otherwise an empty one. `String(['a'])` would turn a list into a valid string. */
const stringOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A string that is not empty; optional if the default is `undefined`. */
export function string<Value extends string | undefined>(
  options: SettingOptions<Value>,
): Setting<Value extends undefined ? string | undefined : string>;
export function string(options: SettingOptions<string | undefined>): Setting<string | undefined> {
  return setting(options, 'a text that is not empty', (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
}

/** The least and the greatest value that are allowed; either may be left out. */
interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

function boundsText(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

/** A whole number. */
export function integer({ minimum, maximum, ...options }: SettingOptions<number> & Bounds): Setting<number> {
  return setting(options, `an integer${boundsText(minimum, maximum)}`, (value) => {
    const given = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof given !== 'number' || !Number.isSafeInteger(given)) return undefined;
    return given >= (minimum ?? given) && given <= (maximum ?? given) ? given : undefined;
  });
}

/** Parses what the environment and flags write for true and false; undefined for anything else. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (/^(?:true|1|yes|on)$/i.test(String(value))) return true;
  return /^(?:false|0|no|off)$/i.test(String(value)) ? false : undefined;
}

export function boolean<Value extends boolean | undefined>(
  options: SettingOptions<Value>,
): Setting<Value extends undefined ? boolean | undefined : boolean>;
export function boolean(options: SettingOptions<boolean | undefined>): Setting<boolean | undefined> {
  return { ...setting(options, 'true or false', parseBoolean), bareFlag: 'true' };
}

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  options: SettingOptions<NoInfer<Choice>>,
): Setting<Choice> {
  const isChoice = (value: unknown): value is Choice => (choices as readonly unknown[]).includes(value);
  return setting(options, `one of ${choices.join(', ')}`, (value) => (isChoice(value) ? value : undefined));
}

/** A list of strings: a JSON array, or one string separated by commas. */
export function list(options: SettingOptions<readonly string[]>): Setting<readonly string[]> {
  return setting(options, 'a list of texts (separated by commas outside JSON)', (value) => {
    const items: unknown = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
    if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) return undefined;
    return items.filter((item) => item !== '');
  });
}

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as it is written: `500ms`, `30s`, `5m`, `2h`, `1d`; a number is in milliseconds. */
export type Span = number | `${number}${keyof typeof milliseconds}`;

/** The milliseconds of a span. */
function parseSpan(value: unknown): number | undefined {
  const match = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(stringOf(value));
  if (match === null) return undefined;
  return Number(match[1]) * milliseconds[(match[2] ?? 'ms') as keyof typeof milliseconds];
}

interface DurationOptions extends Omit<SettingOptions<Span>, 'validate'> {
  readonly minimum?: Span;
  readonly maximum?: Span;
}

/** A duration such as `500ms`, `30s` or `5m`; its value is in milliseconds. */
export function duration(options: DurationOptions): Setting<number> {
  const inMilliseconds = (span: Span) => parseSpan(span) ?? Number.NaN;
  const { minimum: shortest = 0, maximum: longest = '1d', ...others } = options;
  const [minimum, maximum] = [inMilliseconds(shortest), inMilliseconds(longest)];
  const rest = { ...others, default: inMilliseconds(options.default) };
  const expected = `a span of time such as 500ms, 30s or 5m, from ${formatDuration(minimum)} to ${formatDuration(maximum)}`;
  const parse = (value: unknown) => {
    const span = parseSpan(value);
    return span !== undefined && span >= minimum && span <= maximum ? span : undefined;
  };
  return { ...setting(rest, expected, parse), show: (value) => formatDuration(Number(value)) };
}

/** The shortest exact way to write a span: `1800000` is `30m`. */
export function formatDuration(span: number): string {
  const [unit, length] =
    Object.entries(milliseconds)
      .reverse()
      .find(([, unitLength]) => span >= unitLength && span % unitLength === 0) ?? (['ms', 1] as const);
  return `${span / length}${unit}`;
}

/** Names and values such as `work_mem: 4MB`: a JSON object, or a string such as `a=b,c=d`. */
export function record(
  options: SettingOptions<Readonly<Record<string, string>>>,
): Setting<Readonly<Record<string, string>>> {
  return setting(options, 'names and values (a=b,c=d outside JSON)', (value) => {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null || Array.isArray(value)))
      return undefined;
    const pairs: unknown[][] =
      typeof value === 'string'
        ? value
            .split(',')
            .filter(Boolean)
            .map((pair) => pair.split('='))
        : Object.entries(value);
    const isPair = ([name, item, ...more]: unknown[]) =>
      more.length === 0 && name !== '' && ['string', 'number', 'boolean'].includes(typeof item);
    if (!pairs.every(isPair)) return undefined;
    return Object.fromEntries(pairs.map(([name, item]) => [String(name).trim(), String(item).trim()]));
  });
}
