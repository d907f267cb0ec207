import { pointerTokens } from '@jig/inspect/basics';
import type { ReadingAddress } from '../readings/readings.ts';

/** When a value is worth telling. */
export interface Limits {
  readonly over?: number | undefined;
  readonly under?: number | undefined;
}

/** A value to record, as the option `watch` names it. */
export type WatchedReading = ReadingAddress & Limits;

/** A value that has crossed a limit, as `onThreshold` is told. */
export interface ThresholdEvent {
  readonly bean: string;
  readonly at?: string;
  readonly reading?: string;
  readonly crossed: 'over' | 'under';
  readonly limit: number;
  readonly value: number;
  readonly unit?: string;
  /** As in ISO 8601. */
  readonly time: string;
}

/** What the log says of it. Names are in quotes, since they may hold line breaks. */
export const thresholdLine = ({ bean, at, reading, crossed, limit, value }: ThresholdEvent) =>
  `bean inspection: ${JSON.stringify(at ?? reading)} of the bean ${JSON.stringify(bean)} is ${value}, ${crossed} its limit ${limit}`;

/** How many values are recorded at most. */
export const mostValues = 50;

/** What the option `watch` must be, to end a sentence with. */
export const watchRule = `a list of at most ${mostValues} values such as { "bean": "pool", "reading": "waiting", "over": 5 }, with reading or at (a JSON Pointer), and over and under if wanted`;

/** The option `watch`; undefined when it is not as it must be. */
export function parseWatch(given: unknown): readonly WatchedReading[] | undefined {
  if (!Array.isArray(given) || given.length > mostValues) return undefined;
  return given.every(isWatched) ? given : undefined;
}

function isWatched(given: unknown): given is WatchedReading {
  if (typeof given !== 'object' || given === null) return false;
  const { bean, at, reading, over, under } = given as Readonly<Record<string, unknown>>;
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  const isPointer = typeof at === 'string' && pointerTokens(at) !== undefined;
  const isLimit = (limit: unknown) => limit === undefined || Number.isFinite(limit);
  const isAddress = at === undefined ? isText(reading) : isPointer && reading === undefined;
  return isText(bean) && isAddress && isLimit(over) && isLimit(under);
}
