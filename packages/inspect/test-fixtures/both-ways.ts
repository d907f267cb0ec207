import { expect } from 'vitest';
import { inspect } from '../src/inspect.ts';
import type { InspectionOptions } from '../src/inspection-options.ts';

export const written = (value: unknown, options: InspectionOptions = {}): string => inspect(value, options).toString();

/** The document at once, and as it is sent. */
export function everyWay(value: unknown, options: InspectionOptions = {}): string[] {
  const sent = inspect(value, options).wholeOrChunks(new AbortController().signal);
  return typeof sent === 'string' ? [written(value, options), sent] : [written(value, options)];
}

/** What both ways have written, parsed. */
export function shown(value: unknown, options: InspectionOptions = {}): unknown {
  const [whole, sent = whole] = everyWay(value, options);
  expect(sent).toBe(whole);
  return JSON.parse(whole as string);
}
