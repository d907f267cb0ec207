import type { ChunkSource } from '../chunk-source.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { ByteWriter } from './byte-writer.ts';
import { borrowWriter, returnWriter } from './writers.ts';

/** The fast way to a document, in pieces. */
export class CompiledSource implements ChunkSource {
  readonly #format: 'json' | 'xml';
  #writer: ByteWriter | undefined;
  #truncated = false;

  constructor(value: unknown, options: ResolvedOptions) {
    this.#format = options.format;
    this.#writer = borrowWriter(options.format);
    this.#writer.start(value, options);
  }

  get truncated(): boolean {
    return this.#writer?.truncated ?? this.#truncated;
  }

  next(): Buffer | undefined {
    return this.#writer?.next();
  }

  cut(): void {
    this.#writer?.cut();
  }

  abandon(): void {
    if (this.#writer === undefined) return;
    this.#truncated = this.#writer.truncated;
    returnWriter(this.#writer, this.#format);
    this.#writer = undefined;
  }
}
