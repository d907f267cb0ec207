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
}

/** How many characters an answer to a coding agent may have: about 8,000 tokens, below what clients warn of and cut. */
export const defaultCharacters = 32_000;

/** Below it, what says how to get the rest would have no room. */
export const fewestCharacters = 4000;

const parameterNames = ['at', 'from', 'depth', 'limit', 'pretty', 'namespaces'];

const flagTexts: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

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
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const refuse = (detail: string): never => {
    throw new BeanProblem(400, detail, { form });
  };
  for (const name of parameterNames) {
    if (query.getAll(name).length > 1) refuse(`The parameter ${name} can be given only once.`);
  }
  const { depth, limit } = limits;
  const most = largestCounts(limits);
  return {
    at: pointer(query.get('at'), refuse),
    from: count('from', query.get('from'), { least: 0, most: Number.MAX_SAFE_INTEGER }, refuse),
    depth: count('depth', query.get('depth'), { least: 1, most: most.depth }, refuse) ?? depth,
    limit:
      count('limit', query.get('limit'), { least: 1, most: most.limit }, refuse) ?? (limit === 0 ? undefined : limit),
    pretty: flag('pretty', query.get('pretty'), refuse),
    namespaces: flag('namespaces', query.get('namespaces'), refuse),
  };
}

type Refuse = (detail: string) => never;

function pointer(text: string | null, refuse: Refuse): string | undefined {
  if (text === null) return undefined;
  if (pointerTokens(text) === undefined) refuse('at must be a JSON Pointer (RFC 6901), such as /a/0/b.');
  return text;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function count(name: string, text: string | null, { least, most }: Range, refuse: Refuse): number | undefined {
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < least || value > most)
    refuse(`${name} must be a whole number from ${least} to ${most}.`);
  return value;
}

function flag(name: string, text: string | null, refuse: Refuse): boolean {
  if (text === null) return false;
  return flagTexts.get(text) ?? refuse(`${name} is given without a value, or as true or false.`);
}
