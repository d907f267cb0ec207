import { type ChunkSource, maxSliceMs, releaseChunk } from '../chunks.ts';
import type { ResolvedOptions } from '../inspection-options.ts';
import type { LearnedTexts } from '../masking/learned-texts.ts';
import type { Masking } from '../masking/masking.ts';
import { withPrivateFields } from '../walk/private-fields.ts';
import { forgetNames } from '../walk/reflection.ts';
import { SecretScan, withLearnedBy } from '../walk/secret-scan.ts';
import { xmlName } from '../xml/xml-name.ts';
import { NamespacedNames } from '../xml/xml-names.ts';
import { JsonWriter } from './json-writer.ts';
import type { Writer } from './writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** Idle writers of each format that are kept for reuse. */
const maxIdle = 2;
const idleJson: Writer[] = [];
const idleXml: Writer[] = [];

/** A document that is being written. It borrows a writer, which must be given back by `abandon`. */
export class Document implements ChunkSource {
  readonly #format: 'json' | 'xml';
  #writer: Writer | undefined;
  #truncated = false;
  #learned: LearnedTexts | undefined;
  #isCut = false;
  readonly #value: unknown;
  readonly #options: ResolvedOptions;
  readonly #isWhole: boolean;
  /** Begins the document itself, when all prefixes in it are found. */
  #second: (() => void) | undefined;
  /** Learns what is secret, before anything is handed out. */
  #scan: SecretScan | undefined;
  /** The first chunk, until it is known whether it shows what was learned. */
  #held: Buffer | undefined;
  #isFirst = true;

  constructor(value: unknown, options: ResolvedOptions, isWhole = false, isTextWanted = false) {
    forgetNames();
    this.#format = options.format;
    this.#value = value;
    this.#options = options;
    this.#isWhole = isWhole;
    this.#writer =
      options.format === 'json' ? (idleJson.pop() ?? new JsonWriter()) : (idleXml.pop() ?? new XmlWriter());
    // What is shown is not all that tells secrets, or is not shown at once.
    const { at, from, namespaces, root } = options;
    const whole = at === '' ? value : root;
    const isSecret = options.masking.secretData?.has(whole as object) === true;
    if (at !== '' || from > 0 || namespaces || isSecret) this.#scan = this.#scanOf(whole);
    else {
      (this.#writer as Writer).isTextWanted = isTextWanted;
      this.#start(options.masking);
    }
  }

  #start(masking: Masking): void {
    const writer = this.#writer as Writer;
    const { namespaces } = this.#options;
    const options = masking === this.#options.masking ? this.#options : { ...this.#options, masking };
    if (writer instanceof XmlWriter) {
      writer.names = namespaces ? new NamespacedNames() : undefined;
      writer.isFindingPrefixes = namespaces;
      if (namespaces) {
        this.#second = () => {
          writer.isFindingPrefixes = false;
          writer.start(this.#value, options, this.#isWhole);
        };
      }
    }
    writer.start(this.#value, options, this.#isWhole);
    if (this.#isCut) writer.cut();
  }

  get truncated(): boolean {
    return this.#writer?.truncated ?? this.#truncated;
  }

  /** All of a document that is small, if its text is wanted; then its chunks are empty. */
  get wholeText(): string | undefined {
    return this.#writer?.wholeText;
  }

  get learned(): LearnedTexts | undefined {
    return this.#learned;
  }

  next(): Buffer | undefined {
    const { privateFields } = this.#options;
    return privateFields === undefined ? this.#next() : withPrivateFields(privateFields, () => this.#next());
  }

  #next(): Buffer | undefined {
    if (this.#scan !== undefined) return this.#learn(this.#scan);
    const chunk = this.#writer?.next();
    if (this.#second === undefined) return this.#isFirst ? this.#first(chunk) : chunk;
    if (chunk === undefined) {
      this.#writer?.abandon();
      this.#second();
      this.#second = undefined;
      if (this.#isCut) this.#writer?.cut();
    }
    return Buffer.alloc(0);
  }

  /** A document that ends here, shows all that there is, and in which no key has masked anything, tells no secret by its keys. */
  #first(chunk: Buffer | undefined): Buffer | undefined {
    this.#isFirst = false;
    const writer = this.#writer;
    if (chunk === undefined || writer === undefined) return chunk;
    if (writer.isDone && !writer.hasMasked && !writer.truncated) return chunk;
    const { wholeText } = writer;
    this.#held = wholeText === undefined ? chunk : Buffer.from(wholeText);
    writer.isTextWanted = false;
    writer.wholeText = undefined;
    this.#scan = this.#scanOf(this.#value);
    return this.#learn(this.#scan);
  }

  #scanOf(root: unknown): SecretScan {
    return new SecretScan(root, this.#options.masking, this.#options.contentOf);
  }

  /** Goes on when all is learned; when time is up, what was learned so far counts. */
  #learn(scan: SecretScan): Buffer | undefined {
    if (!this.#isCut && !scan.work(maxSliceMs)) return Buffer.alloc(0);
    this.#scan = undefined;
    this.#isFirst = false;
    this.#learned = scan.learned;
    const masking = withLearnedBy(scan, this.#options.masking);
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) this.#start(masking);
    else if (
      masking !== this.#options.masking &&
      scan.learned.mayBeIn(held, this.#options.masking, this.#format === 'xml' ? xmlName : undefined)
    ) {
      releaseChunk(held);
      this.#writer?.abandon();
      this.#start(masking);
    } else {
      this.#writer?.learn(masking);
      return held;
    }
    return this.#next();
  }

  cut(): void {
    this.#isCut = true;
    if (this.#scan === undefined) this.#writer?.cut();
  }

  abandon(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    this.#truncated = writer.truncated;
    writer.abandon();
    const kept = this.#format === 'json' ? idleJson : idleXml;
    if (kept.length < maxIdle) kept.push(writer);
    this.#writer = undefined;
  }
}
