import type { InspectionOptions } from '@jig/inspect';
import { pointerTokens } from '@jig/inspect/internal';
import { BeanProblem, type ProblemForm } from './problem.ts';

/** How much of a bean is shown at most. */
export interface InspectionLimits {
  /** How many containers deep. */
  readonly depth: number;
  /** How many entries of each container, 0 for all. */
  readonly limit: number;
  /** How many characters of each text. */
  readonly textLimit: number;
  /** How many milliseconds to work on one document. */
  readonly timeBudget: number;
  /** Which getters are run. */
  readonly getters: NonNullable<InspectionOptions['getters']>;
}

/** How many characters an answer to a coding agent may have: about 8,000 tokens, below what clients warn of and cut. */
export const defaultCharacters = 32_000;

/** Below it, what says how to get the rest would have no room. */
export const fewestCharacters = 4000;

const parameterNames = ['at', 'from', 'depth', 'limit', 'pretty', 'namespaces'];

/** The query of a URL. */
export const queryOf = (url: string) => new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** What a query asks of an outline. */
export interface RequestedOutline {
  readonly at: string | undefined;
  readonly from: number | undefined;
  readonly limit: number;
  readonly levels: number | undefined;
}

/** An outline is made in one go, so it has so many rows of a container at most. */
export const mostOutlineRows = 1000;
const outlineRows = 100;

export function requestedOutline(
  url: string,
  limits: Pick<InspectionLimits, 'depth' | 'limit'>,
  form: ProblemForm,
): RequestedOutline {
  const most = Math.min(largestCounts(limits).limit, mostOutlineRows);
  const query = new Query(url, ['at', 'from', 'limit', 'levels'], form);
  return {
    at: query.pointer(),
    from: query.count('from', { least: 0, most: Number.MAX_SAFE_INTEGER }),
    limit: query.count('limit', { least: 1, most }) ?? Math.min(most, outlineRows),
    levels: query.count('levels', { least: 1, most: limits.depth }),
  };
}

/** How long to wait between two looks of a stream, in seconds. */
export const longestPause = 3600;

/** How often a stream is to look, in milliseconds. */
export function requestedPauseMs(url: string, form: ProblemForm): number {
  return (new Query(url, ['every'], form).count('every', { least: 1, most: longestPause }) ?? 1) * 1000;
}

/** Whether a flag of another page is set. */
export function requestedFlag(url: string, name: string, form: ProblemForm): boolean {
  return new Query(url, [name], form).flag(name);
}

const flagTexts: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** An outline is made in one go, which must not hold up others for long. */
export const outlineBudgetMs = 200;

export type RequestedOptions = Pick<InspectionOptions, 'at' | 'from' | 'depth' | 'limit' | 'pretty' | 'namespaces'>;

/** The most that a request may ask for: the configured limit, or any safe integer where there is none. */
export const largestCounts = ({ depth, limit }: Pick<InspectionLimits, 'depth' | 'limit'>) => ({
  depth,
  limit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
});

/** What the query of an address asks for, within what the configuration allows. Parameters of other names are ignored. */
export function requestedOptions(
  url: string,
  limits: Pick<InspectionLimits, 'depth' | 'limit'>,
  form: ProblemForm,
): RequestedOptions {
  const query = new Query(url, parameterNames, form);
  const { depth, limit } = limits;
  const most = largestCounts(limits);
  return {
    at: query.pointer(),
    from: query.count('from', { least: 0, most: Number.MAX_SAFE_INTEGER }),
    depth: query.count('depth', { least: 1, most: most.depth }) ?? depth,
    limit: query.count('limit', { least: 1, most: most.limit }) ?? (limit === 0 ? undefined : limit),
    pretty: query.flag('pretty'),
    namespaces: query.flag('namespaces'),
  };
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The query of a URL, of which some parameters are wanted, each once. */
class Query {
  readonly #query: URLSearchParams;
  readonly #form: ProblemForm;

  constructor(url: string, names: readonly string[], form: ProblemForm) {
    this.#query = queryOf(url);
    this.#form = form;
    for (const name of names) {
      if (this.#query.getAll(name).length > 1) this.#refuse(`The parameter ${name} can be given only once.`);
    }
  }

  pointer(): string | undefined {
    const text = this.#query.get('at');
    if (text === null) return undefined;
    return pointerTokens(text) === undefined
      ? this.#refuse('at must be a JSON Pointer (RFC 6901), such as /a/0/b.')
      : text;
  }

  count(name: string, { least, most }: Range): number | undefined {
    const text = this.#query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    return !/^\d{1,16}$/.test(text) || value < least || value > most
      ? this.#refuse(`${name} must be a whole number from ${least} to ${most}.`)
      : value;
  }

  flag(name: string): boolean {
    const text = this.#query.get(name);
    if (text === null) return false;
    return flagTexts.get(text) ?? this.#refuse(`${name} is given without a value, or as true or false.`);
  }

  #refuse(detail: string): never {
    throw new BeanProblem(400, detail, { form: this.#form });
  }
}
