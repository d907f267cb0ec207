import { types } from 'node:util';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { threwMarker } from '../objects/markers.ts';
import { builtInViews } from './built-in-views.ts';
import { type GlanceOptions, type GlanceReading, keepAnswer, maskingFor, readOne, viewOf } from './glance.ts';
import type { Reading } from './view.ts';

const defaultTimeoutMs = 2000;

export interface AskOptions extends GlanceOptions {
  /** How many milliseconds to wait for an answer; 2,000 by default. */
  readonly timeout?: number | undefined;
}

/**
 * Reads a remote value, such as the number of jobs in Redis; undefined if the view of the object has no reading of this
 * name. From then on, `glance` returns the last answer.
 */
export async function ask(value: unknown, name: string, options: AskOptions = {}): Promise<GlanceReading | undefined> {
  const readings = viewOf(value, options.views ?? builtInViews)?.readings ?? {};
  const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
  if (reading === undefined) return undefined;
  const { timeout = defaultTimeoutMs } = options;
  const object = value as object;
  if (!(await settlesWithin(timeout, pendingAnswer(object, name, reading))))
    keepAnswer(object, name, { fault: `there was no answer within ${timeout / 1000} s` });
  return readOne(name, { ...reading, ask: true }, object, maskingFor(object, options));
}

/** Pending answers by object and reading: a second call awaits the first request. */
const pending = new WeakMap<object, Map<string, Promise<void>>>();

function pendingAnswer(object: object, name: string, reading: Reading): Promise<void> {
  const byName = pending.get(object) ?? new Map<string, Promise<void>>();
  pending.set(object, byName);
  const first = byName.get(name);
  if (first !== undefined) return first;
  const answer = readAndKeep(object, name, reading).finally(() => byName.delete(name));
  byName.set(name, answer);
  return answer;
}

/** Never rejects. Awaits only native promises, since another `then` may do anything. */
async function readAndKeep(object: object, name: string, reading: Reading): Promise<void> {
  try {
    const value = handlingCreatedPromises(() => reading.read(object));
    keepAnswer(object, name, { value: types.isPromise(value) ? await value : value });
  } catch (error) {
    keepAnswer(object, name, { fault: threwMarker(error) });
  }
}

function settlesWithin(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
