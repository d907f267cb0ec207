import type { ChunkSource } from '../chunks.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { ByteWriter } from './byte-writer.ts';
import { JsonWriter } from './json-writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** Idle writers of each format that are kept for reuse. */
const maxIdle = 2;
const idle: Record<'json' | 'xml', ByteWriter[]> = { json: [], xml: [] };

/** Whether a compiled writer can do it: they know no paths, begin at the beginning, and pass over the value only once. */
export function canCompile({ from, masking, pretty, namespaces, stacks, proxies }: ResolvedOptions): boolean {
  return !(from > 0 || masking.needsPaths || pretty || namespaces || stacks || proxies);
}

export function borrowWriter(format: 'json' | 'xml'): ByteWriter {
  return idle[format].pop() ?? (format === 'json' ? new JsonWriter() : new XmlWriter());
}

/** The borrower must not touch the writer afterwards. */
export function returnWriter(writer: ByteWriter, format: 'json' | 'xml'): void {
  writer.abandon();
  if (idle[format].length < maxIdle) idle[format].push(writer);
}

/** A document by a compiled writer, in chunks. */
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
