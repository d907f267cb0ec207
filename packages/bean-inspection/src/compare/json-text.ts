import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Masking } from '@jig/inspect';
import { maskMark, maxSliceMs } from '@jig/inspect/internal';

/** Work that other work of the event loop can interrupt wherever it yields. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** How many characters or entries to look at between two looks at the clock. */
export const stepsPerLook = 1000;

/** Does the work in slices of a few milliseconds, until it is done or the signal aborts. */
export async function inSlices<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const end = performance.now() + maxSliceMs;
    do {
      const { done, value } = work.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await nextTurn();
  }
}

const quote = 0x22;
const backslash = 0x5c;

const isOpening = (code: number) => code === 0x5b || code === 0x7b;
const isClosing = (code: number) => code === 0x5d || code === 0x7d;
const isAfterWord = (code: number) => code === 0x2c || isClosing(code);

function stringEnd(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end + 1;
}

function isEscaped(text: string, place: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(place - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}

/** Where a text, a number or a word ends. */
function scalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === quote) return stringEnd(text, start);
  let end = start;
  while (end < text.length && !isAfterWord(text.charCodeAt(end))) end++;
  return end;
}

/** A document, written without white space, of which parts are read as they stand: numbers that are parsed would lose digits. */
export class JsonDocument {
  readonly #text: string;
  /** Where containers end, by where they start: each is passed over many times. */
  readonly #ends: Int32Array;

  constructor(text: string, ends: Int32Array) {
    this.#text = text;
    this.#ends = ends;
  }

  static *read(text: string): Work<JsonDocument> {
    const ends = new Int32Array(text.length);
    const open: number[] = [];
    for (let at = 0, steps = 1; at < text.length; steps++) {
      const code = text.charCodeAt(at);
      if (isOpening(code)) open.push(at);
      else if (isClosing(code)) ends[open.pop() as number] = at + 1;
      at = code === quote ? stringEnd(text, at) : at + 1;
      if (steps % stepsPerLook === 0) yield;
    }
    return new JsonDocument(text, ends);
  }

  /** The value that starts here. */
  textAt(start: number): string {
    return this.#text.slice(start, this.#endOf(start));
  }

  /** The entries of the container that starts here. */
  *entriesAt(start: number): Generator<JsonEntry, void, undefined> {
    const last = this.#endOf(start) - 1;
    const hasKeys = this.#text.charAt(start) === '{';
    for (let at = start + 1; at < last; at = this.#endOf(at) + 1) {
      const keyEnd = hasKeys ? stringEnd(this.#text, at) : at;
      const key = this.#text.slice(at, keyEnd);
      if (hasKeys) at = keyEnd + 1;
      yield { key, start: at };
    }
  }

  #endOf(start: number): number {
    return isOpening(this.#text.charCodeAt(start)) ? (this.#ends[start] as number) : scalarEnd(this.#text, start);
  }
}

/** An entry of a container. */
export interface JsonEntry {
  /** In quotes; empty for an item of a list. */
  readonly key: string;
  /** Where its value starts. */
  readonly start: number;
}

/** A document with the secrets masked that were not known when it was written. */
export function* maskAgain(json: string, masking: Masking): Work<string> {
  let masked = '';
  let written = 0;
  let at = 0;
  for (let steps = 1; at < json.length; steps++) {
    if (steps % stepsPerLook === 0) yield;
    const code = json.charCodeAt(at);
    if (code !== quote && !isDigitOrMinus(code)) {
      at++;
      continue;
    }
    const end = scalarEnd(json, at);
    const token = json.slice(at, end);
    const shown = code === quote ? maskedText(token, masking) : maskedNumber(token, masking);
    if (shown !== token) {
      masked += json.slice(written, at) + shown;
      written = end;
    }
    at = end;
  }
  return masked + json.slice(written);
}

const isDigitOrMinus = (code: number) => (code >= 0x30 && code <= 0x39) || code === 0x2d;

/** Keys are texts too. */
function maskedText(token: string, masking: Masking): string {
  const text = JSON.parse(token) as string;
  const shown = masking.text(text);
  return shown === text ? token : JSON.stringify(shown);
}

function maskedNumber(token: string, masking: Masking): string {
  const number = /^-?\d+$/.test(token) ? BigInt(token) : Number(token);
  return masking.hidesNumber(number) ? `"${maskMark}"` : token;
}
