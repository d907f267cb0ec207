import type { ChunkSource } from '../chunks.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import { NamespacedNames } from '../xml/xml-names.ts';
import { JsonWriter } from './json-writer.ts';
import type { Writer } from './writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** Idle writers of each format that are kept for reuse. */
const maxIdle = 2;
const idle: { readonly json: JsonWriter[]; readonly xml: XmlWriter[] } = { json: [], xml: [] };

/** A document that is being written. It borrows a writer, which must be given back by `abandon`. */
export class Document implements ChunkSource {
  readonly #format: 'json' | 'xml';
  #writer: Writer | undefined;
  #truncated = false;
  /** Begins the document itself, when all prefixes in it are found. */
  #second: (() => void) | undefined;

  constructor(value: unknown, options: ResolvedOptions, isWhole = false) {
    this.#format = options.format;
    if (options.format === 'json') this.#writer = idle.json.pop() ?? new JsonWriter();
    else {
      const writer = idle.xml.pop() ?? new XmlWriter();
      writer.names = options.namespaces ? new NamespacedNames() : undefined;
      writer.isFindingPrefixes = options.namespaces;
      this.#writer = writer;
      if (options.namespaces) {
        this.#second = () => {
          writer.isFindingPrefixes = false;
          writer.start(value, options, isWhole);
        };
      }
    }
    this.#writer.start(value, options, isWhole);
  }

  get truncated(): boolean {
    return this.#writer?.truncated ?? this.#truncated;
  }

  next(): Buffer | undefined {
    const chunk = this.#writer?.next();
    if (this.#second === undefined) return chunk;
    if (chunk === undefined) {
      this.#writer?.abandon();
      this.#second();
      this.#second = undefined;
    }
    return Buffer.alloc(0);
  }

  cut(): void {
    this.#writer?.cut();
  }

  abandon(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    this.#truncated = writer.truncated;
    writer.abandon();
    const kept: Writer[] = idle[this.#format];
    if (kept.length < maxIdle) kept.push(writer);
    this.#writer = undefined;
  }
}
