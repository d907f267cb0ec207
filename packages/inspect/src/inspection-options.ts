import { InspectError } from './errors.ts';
import { Masking, type MaskingOptions } from './masking/masking.ts';
import { Context } from './objects/context.ts';
import type { PrivateFieldsOf } from './objects/private-fields.ts';
import type { GetterPolicy } from './objects/reflection.ts';
import { builtInViews } from './views/built-in-views.ts';
import { contentBy } from './views/content.ts';
import type { View } from './views/view.ts';
import { pointerTokens } from './walk/pointer.ts';
import type { WalkOptions } from './walk/walk.ts';

export interface InspectionOptions extends MaskingOptions {
  readonly format?: 'json' | 'xml' | undefined;
  /** The maximum depth of containers; 64 by default. */
  readonly depth?: number | undefined;
  /** How many entries of each container to show; all by default. */
  readonly limit?: number | undefined;
  /** How many characters of each text to show, at least 64; 1,048,576 by default. */
  readonly text?: number | undefined;
  /** The time limit in milliseconds, without waiting for a slow reader; none by default. */
  readonly budget?: number | undefined;
  /** A JSON Pointer (RFC 6901) to the value to show. */
  readonly at?: string | undefined;
  /** How many entries of the container at `at` to skip; 0 by default. */
  readonly from?: number | undefined;
  /** Whether to indent. */
  readonly pretty?: boolean | undefined;
  /** Whether errors show their stack. */
  readonly stacks?: boolean | undefined;
  /** Which getters are run: all (default), only `own` ones and not those of classes, or none. */
  readonly getters?: GetterPolicy | undefined;
  /** Views for `glance` and for the content of opaque objects; the built-in ones by default, none if getters are not run. */
  readonly views?: readonly View[] | undefined;
  /** Whether to ignore the content of views. */
  readonly raw?: boolean | undefined;
  /** Whether to put the glance of a view first: `{ glance, bean }`; JSON only. */
  readonly glance?: boolean | undefined;
  /** Objects and functions to show as `[Closed]`. */
  readonly closed?: ReadonlySet<object> | undefined;
  /** Returns private fields (`#x`) to show among the properties; none by default. */
  readonly privateFields?: PrivateFieldsOf | undefined;
  /** Masking created beforehand, instead of `mask`, `reveal` and `secrets`. */
  readonly masking?: Masking | undefined;
}

/** The validated options of an inspection. */
export interface ResolvedOptions extends Omit<WalkOptions, 'places'> {
  readonly format: 'json' | 'xml';
  readonly depth: number;
  readonly limit: number;
  readonly from: number;
  readonly pretty: boolean;
  readonly budget: number;
  readonly glance: boolean;
  readonly getters: GetterPolicy;
  readonly views: readonly View[];
  readonly privateFields: PrivateFieldsOf | undefined;
}

/** How long to work before the event loop may run other work, in milliseconds. */
export const maxSliceMs = 3;

export const defaultDepth = 64;
export const defaultText = 1024 * 1024;
/** The minimum for `text`, so that markers such as `******` are never cut. */
const minText = 64;

let defaultMasking: Masking | undefined;

/** None if getters are not run, since the built-in views run getters and methods. */
export const defaultViews = (getters: GetterPolicy): readonly View[] => (getters === 'run' ? builtInViews : noViews);

const noViews: readonly View[] = [];

export function resolveOptions(options: InspectionOptions): ResolvedOptions {
  const { format = 'json', at = '', pretty = false, stacks = false } = options;
  const { getters = 'run', glance = false, raw = false } = options;
  const { views = defaultViews(getters) } = options;
  if (format !== 'json' && format !== 'xml') throw invalid('format', '"json" or "xml"');
  if (getters !== 'run' && getters !== 'own' && getters !== 'none') throw invalid('getters', '"run", "own" or "none"');
  if (glance && format === 'xml') throw invalid('glance', 'false in XML');
  if (pointerTokens(at) === undefined) throw invalid('at', 'a JSON Pointer such as /a/0/b');
  return {
    format,
    at,
    pretty,
    stacks,
    getters,
    glance,
    views,
    depth: wholeNumber('depth', options.depth, defaultDepth),
    from: wholeNumber('from', options.from, 0, 0),
    limit: wholeNumber('limit', options.limit, Number.POSITIVE_INFINITY),
    text: wholeNumber('text', options.text, defaultText, minText),
    budget: options.budget ?? Number.POSITIVE_INFINITY,
    context: new Context(getters, options.privateFields),
    contentOf: raw ? undefined : contentBy(views),
    closed: options.closed?.size === 0 ? undefined : options.closed,
    privateFields: options.privateFields,
    masking: maskingOf(options),
  };
}

function maskingOf({ masking, mask, reveal, secrets }: InspectionOptions): Masking {
  if (masking !== undefined) return masking;
  if (mask !== undefined || reveal !== undefined || secrets !== undefined)
    return new Masking({ mask, reveal, secrets });
  defaultMasking ??= new Masking();
  return defaultMasking;
}

function wholeNumber(option: string, value: number | undefined, fallback: number, min = 1): number {
  if (value === undefined) return fallback;
  if (value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= min)) return value;
  throw invalid(option, `a whole number from ${min}`);
}

function invalid(option: string, expected: string): InspectError {
  return new InspectError('JIG_INSPECTION_OPTION_INVALID', `${option} must be ${expected}`, {
    fields: { option, expected },
  });
}
