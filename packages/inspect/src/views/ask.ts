import { types } from 'node:util';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { threwMarker } from '../objects/markers.ts';
import { builtInViews } from './built-in-views.ts';
import { type GlanceOptions, type GlanceReading, keepAnswer, maskingFor, readOne, viewOf } from './glance.ts';
import type { Reading } from './view.ts';

/** How long to wait for what lives elsewhere, in milliseconds. */
const longestWaitMs = 2000;

export interface AskOptions extends GlanceOptions {
  /** How many milliseconds to wait for an answer; 2,000 by default. */
  readonly timeout?: number | undefined;
}

/**
 * Reads what lives elsewhere, such as a count of jobs in Redis; undefined where the view of an object has no such
 * reading. From then on, `glance` has the last answer.
 */
export async function ask(value: unknown, name: string, options: AskOptions = {}): Promise<GlanceReading | undefined> {
  const readings = viewOf(value, options.views ?? builtInViews)?.readings ?? {};
  const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
  if (reading === undefined) return undefined;
  const { timeout = longestWaitMs } = options;
  const object = value as object;
  if (!(await isWithin(timeout, answerTo(object, name, reading))))
    keepAnswer(object, name, { fault: `there was no answer within ${timeout / 1000} s` });
  return readOne(name, { ...reading, ask: true }, object, maskingFor(object, options));
}

/** Pending answers, which are awaited again rather than asked again. */
const coming = new WeakMap<object, Map<string, Promise<void>>>();

function answerTo(object: object, name: string, reading: Reading): Promise<void> {
  const open = coming.get(object) ?? new Map<string, Promise<void>>();
  coming.set(object, open);
  const known = open.get(name);
  if (known !== undefined) return known;
  const answer = read(object, name, reading).finally(() => open.delete(name));
  open.set(name, answer);
  return answer;
}

/** Never rejects. Awaits only native promises, since another `then` may do anything. */
async function read(object: object, name: string, reading: Reading): Promise<void> {
  try {
    const read = handlingCreatedPromises(() => reading.read(object));
    keepAnswer(object, name, { value: types.isPromise(read) ? await read : read });
  } catch (error) {
    keepAnswer(object, name, { fault: threwMarker(error) });
  }
}

/** Whether a promise settles in time. */
function isWithin(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
