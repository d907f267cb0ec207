import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinChunks, maxSliceMs } from './chunks.ts';
import { type InspectionOptions, type ResolvedOptions, resolveOptions } from './inspection-options.ts';
import { LearnedTexts } from './masking/learned-texts.ts';
import { handlingCreatedPromises } from './walk/bean-code.ts';
import { partAt } from './walk/json-pointer.ts';
import { withPrivateFields } from './walk/private-fields.ts';
import { Document } from './writer/document.ts';
import { GlancedDocument } from './writer/glanced-document.ts';

/** What is larger, or takes longer to write, is no small document. */
const maxWholeBytes = 64 * 1024;
const maxWholeMs = 10;

/** Where the writing of chunks begins. */
interface ChunkState {
  readonly signal: AbortSignal | undefined;
  /** The milliseconds that are left of the budget. */
  readonly left: number;
  /** Chunks that are made already. */
  readonly made?: Buffer[];
}

/** What the keys of the value made secret, of which its last document shows nothing. */
export let learnedBy: (inspection: Inspection) => LearnedTexts;

/** A live value as JSON or XML. Each call of `toString`, `toBytes` or `chunks` reads the value again. */
export class Inspection implements AsyncIterable<Buffer> {
  readonly #value: unknown;
  readonly #options: ResolvedOptions;
  #truncated = false;
  #learned: LearnedTexts | undefined;

  // A function apart, so that nobody is shown them by looking at an inspection.
  static {
    learnedBy = (inspection) => inspection.#learned ?? new LearnedTexts();
  }

  constructor(value: unknown, options: InspectionOptions = {}) {
    const resolved = resolveOptions(options);
    const part =
      resolved.at === ''
        ? undefined
        : withPrivateFields(resolved.privateFields, () =>
            handlingCreatedPromises(() => partAt(value, resolved), resolved.getters),
          );
    this.#value = part === undefined ? value : part.value;
    this.#options = part === undefined ? resolved : { ...resolved, secrecy: part.secrecy, root: value };
  }

  /** Whether anything was left out of the last document. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** The whole document at once. */
  toString(): string {
    return this.toBytes().toString();
  }

  toBytes(): Buffer {
    const source = this.#source(true);
    try {
      return this.#allOf(source);
    } finally {
      source.abandon();
    }
  }

  /** The document in chunks. Other work of the event loop runs between them, so that a big document does not block it. */
  chunks({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<Buffer, void, undefined> {
    return this.#chunks(this.#source(), { signal, left: this.#options.budget });
  }

  /**
   * The whole document if it is small, otherwise its chunks, of which some are made already.
   * A small document needs neither promises nor a generator, which would cost more than to write it. If wanted, a very
   * small one is a text.
   */
  wholeOrChunks(signal: AbortSignal, isTextWanted?: false): Buffer | AsyncGenerator<Buffer, void, undefined>;
  wholeOrChunks(signal: AbortSignal, isTextWanted: true): string | Buffer | AsyncGenerator<Buffer, void, undefined>;
  wholeOrChunks(signal: AbortSignal, isTextWanted = false): string | Buffer | AsyncGenerator<Buffer, void, undefined> {
    const source = this.#source(false, isTextWanted);
    const made: Buffer[] = [];
    try {
      const start = performance.now();
      let size = 0;
      for (let chunk = source.next(); chunk !== undefined; chunk = source.next()) {
        made.push(chunk);
        size += chunk.length;
        this.#truncated = source.truncated;
        const spent = performance.now() - start;
        const left = this.#options.budget - spent;
        const isSmall = made.length === 1 || (size <= maxWholeBytes && spent < maxWholeMs);
        if (!isSmall) return this.#chunks(source, { signal, left, made });
        if (left <= 0) source.cut();
      }
      this.#truncated = source.truncated;
    } catch (error) {
      source.abandon();
      throw error;
    }
    const { wholeText } = source;
    source.abandon();
    if (wholeText !== undefined) return wholeText;
    return made.length > 1 ? joinChunks(made) : (made[0] ?? Buffer.alloc(0));
  }

  async *#chunks(source: Document, state: ChunkState): AsyncGenerator<Buffer, void, undefined> {
    const { signal, made = [] } = state;
    let { left } = state;
    let sliceStart = performance.now();
    let since = sliceStart;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const chunk = made.shift() ?? source.next();
        left -= performance.now() - since;
        this.#truncated = source.truncated;
        if (chunk === undefined) {
          this.#learned = source.learned;
          return;
        }
        if (left <= 0) source.cut();
        if (chunk.length > 0) yield chunk;
        since = performance.now();
        if (since - sliceStart < maxSliceMs) continue;
        await nextTurn();
        sliceStart = performance.now();
      }
    } finally {
      source.abandon();
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return this.chunks();
  }

  #source(isWhole = false, isTextWanted = false): Document {
    const { glance } = this.#options;
    return new (glance ? GlancedDocument : Document)(this.#value, this.#options, isWhole, isTextWanted);
  }

  #allOf(source: Document): Buffer {
    const { budget } = this.#options;
    const deadline = budget === Number.POSITIVE_INFINITY ? budget : performance.now() + budget;
    let chunks: Buffer[] | undefined;
    for (let chunk = source.next(); chunk !== undefined; chunk = source.next()) {
      if (chunks === undefined) chunks = [chunk];
      else chunks.push(chunk);
      if (deadline !== Number.POSITIVE_INFINITY && performance.now() > deadline) source.cut();
    }
    this.#truncated = source.truncated;
    return joinChunks(chunks ?? []);
  }
}

/** Shows any live value: `inspect(bean).toString()`, or `for await (const chunk of inspect(bean))`. */
export function inspect(value: unknown, options: InspectionOptions = {}): Inspection {
  return new Inspection(value, options);
}
