import { setImmediate as nextTurn } from 'node:timers/promises';
import { Document } from './document/document.ts';
import { type InspectionOptions, maxSliceMs, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import { LearnedTexts } from './masking/learned-texts.ts';
import { noSecret } from './masking/secret-key.ts';
import { partAt } from './walk/json-pointer.ts';
import type { Part } from './walk/shown-value.ts';

/** The limits of a small document. */
const maxWholeLength = 64 * 1024;
const maxWholeMs = 4 * maxSliceMs;

/** The texts that an inspection has learned from secret keys. */
export let learnedBy: (inspection: Inspection) => LearnedTexts;

/** A live value as JSON or XML. Each call of `toString`, `toBytes` or `chunks` reads the value again. */
export class Inspection implements AsyncIterable<Buffer> {
  readonly #root: unknown;
  readonly #part: Part;
  readonly #options: ResolvedOptions;
  #truncated = false;
  #learned: LearnedTexts | undefined;

  // Not a property, so that documents of an inspection do not show them.
  static {
    learnedBy = (inspection) => inspection.#learned ?? new LearnedTexts();
  }

  constructor(value: unknown, options: InspectionOptions = {}) {
    this.#options = resolveOptions(options);
    this.#root = value;
    const { at, context } = this.#options;
    this.#part = at === '' ? { value, secrecy: noSecret } : context.run(() => partAt(value, this.#options));
  }

  /** Whether anything was left out of the last document. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** The whole document at once. */
  toString(): string {
    const document = this.#document();
    const end = performance.now() + this.#options.budget;
    let text = '';
    for (let piece = document.next(end); piece !== undefined; piece = document.next(end)) {
      text += piece;
      if (performance.now() >= end) document.cut();
    }
    this.#keepState(document);
    return text;
  }

  toBytes(): Buffer {
    return Buffer.from(this.toString());
  }

  /** The document in chunks, between which the event loop runs other work. */
  chunks({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<Buffer, void, undefined> {
    return this.#chunks(this.#document(), '', this.#options.budget, signal);
  }

  /** The whole document if it is small, otherwise its chunks. */
  wholeOrChunks(signal: AbortSignal): string | AsyncGenerator<Buffer, void, undefined> {
    const document = this.#document();
    const { budget } = this.#options;
    const start = performance.now();
    const end = start + Math.min(budget, maxWholeMs);
    let text = '';
    for (let piece = document.next(end); piece !== undefined; piece = document.next(end)) {
      text += piece;
      const now = performance.now();
      if (text.length <= maxWholeLength && now < end) continue;
      this.#keepState(document);
      return this.#chunks(document, text, budget - (now - start), signal);
    }
    this.#keepState(document);
    return text;
  }

  /** Other work of the event loop counts towards the budget, a slow reader does not. */
  async *#chunks(
    document: Document,
    text: string,
    budget: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Buffer, void, undefined> {
    let leftMs = budget;
    try {
      if (text !== '') yield Buffer.from(text);
      for (let since = performance.now(), sliceStart = since; ; ) {
        signal?.throwIfAborted();
        const piece = document.next(performance.now() + Math.min(maxSliceMs, Math.max(0, leftMs)));
        leftMs -= performance.now() - since;
        this.#keepState(document);
        if (piece === undefined) return;
        if (leftMs <= 0) document.cut();
        if (piece !== '') yield Buffer.from(piece);
        since = performance.now();
        if (since - sliceStart < maxSliceMs) continue;
        await nextTurn();
        sliceStart = performance.now();
      }
    } finally {
      document.abandon();
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return this.chunks();
  }

  #document(): Document {
    return new Document(this.#root, this.#part, this.#options);
  }

  #keepState({ truncated, learned }: Document): void {
    this.#truncated = truncated;
    this.#learned = learned;
  }
}

/** Shows any live value: `inspect(bean).toString()`, or `for await (const chunk of inspect(bean))`. */
export function inspect(value: unknown, options: InspectionOptions = {}): Inspection {
  return new Inspection(value, options);
}

/** All chunks joined; undefined if they exceed so many bytes. */
export async function joinUpTo(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > maxBytes) return undefined;
  }
  return Buffer.concat(parts);
}
