import { type ChunkSource, maxSliceMs, takeChunk } from '../../src/chunks.ts';
import type { ResolvedOptions } from '../../src/inspection-options.ts';
import { handlingCreatedPromises } from '../../src/walk/bean-code.ts';
import { typeName } from '../../src/walk/reflection.ts';
import { learningMasking } from '../../src/walk/secret-scan.ts';
import { NamespacedNames } from '../../src/xml/xml-names.ts';
import { JsonSink } from './json-sink.ts';
import { PrefixSink, plainNames } from './prefix-sink.ts';
import { Walk } from './walk.ts';
import { XmlSink } from './xml-sink.ts';

const chunkLength = 16 * 1024;
const stepsAtOnce = 2000;
/** Steps between two looks at the clock. */
const stepsPerLook = 16;

/** A document by the plain walk, which calls a sink that joins strings. */
export class PlainSource implements ChunkSource {
  readonly #sink: JsonSink | XmlSink;
  /** Walks still to be done; the last one writes the document. */
  readonly #walks: (() => Walk)[];
  #walk: Walk | undefined;
  readonly #getters: ResolvedOptions['getters'];
  #isCut = false;
  truncated = false;

  constructor(value: unknown, given: ResolvedOptions) {
    this.#getters = given.getters;
    const root = given.at === '' ? value : given.root;
    const options = { ...given, masking: learningMasking(root, given.masking, given.contentOf) };
    const indent = options.pretty ? '  ' : '';
    if (options.format === 'json') {
      const sink = new JsonSink(indent);
      this.#sink = sink;
      this.#walks = [() => new Walk(value, sink, options)];
      return;
    }
    const names = options.namespaces ? new NamespacedNames() : plainNames;
    const sink = new XmlSink(options.masking.key(typeName(value)), { names, indent });
    this.#sink = sink;
    this.#walks = [() => new Walk(value, sink, options)];
    if (names instanceof NamespacedNames) this.#walks.unshift(() => new Walk(value, new PrefixSink(names), options));
  }

  next(): Buffer | undefined {
    return handlingCreatedPromises(() => this.#next(), this.#getters);
  }

  #next(): Buffer | undefined {
    this.#walk ??= this.#walks.shift()?.();
    if (this.#walk === undefined) return undefined;
    if (this.#isCut) this.#walk.cut();
    const end = performance.now() + maxSliceMs;
    for (let steps = 1; steps <= stepsAtOnce && this.#sink.length < chunkLength; steps++) {
      if (steps % stepsPerLook === 0 && performance.now() > end) break;
      if (this.#walk.step()) continue;
      this.truncated = this.#walk.truncated;
      this.#walk = undefined;
      break;
    }
    return encode(this.#sink.take());
  }

  cut(): void {
    this.#isCut = true;
  }

  abandon(): void {
    const walk = this.#walk;
    if (walk !== undefined) handlingCreatedPromises(() => walk.abandon());
    this.#walk = undefined;
    this.#walks.length = 0;
  }
}

function encode(text: string): Buffer {
  const chunk = takeChunk(Buffer.byteLength(text));
  chunk.write(text);
  return chunk;
}
