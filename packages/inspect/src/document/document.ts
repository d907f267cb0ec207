import type { ResolvedOptions } from '../inspection-options.ts';
import type { LearnedTexts } from '../masking/learned-texts.ts';
import type { Masking } from '../masking/masking.ts';
import { noSecret } from '../masking/secret-key.ts';
import { typeName } from '../objects/reflection.ts';
import { type State, stateOf } from '../views/state-line.ts';
import { learningMasking } from '../walk/secret-scan.ts';
import type { Part } from '../walk/shown-value.ts';
import { Walk, type WalkOptions } from '../walk/walk.ts';
import { JsonWriter } from './json-writer.ts';
import { joinedLength, type TextWriter } from './text-writer.ts';
import { XmlWriter } from './xml-writer.ts';

/** After how many characters a piece is complete, if there is a time limit. */
const pieceLength = 256 * 1024;

/** A document that is being written. */
export class Document {
  readonly #root: unknown;
  readonly #part: Part;
  readonly #options: ResolvedOptions;
  #writer: TextWriter | undefined;
  #walk: Walk | undefined;
  #suffix = '';
  #isDone = false;
  /** The masking with learned texts, once they are known. */
  #masking: Masking | undefined;

  constructor(root: unknown, part: Part, options: ResolvedOptions) {
    this.#root = root;
    this.#part = part;
    this.#options = options;
  }

  /** Whether anything was left out so far. */
  get truncated(): boolean {
    return this.#writer?.truncated === true;
  }

  get learned(): LearnedTexts | undefined {
    return this.#masking?.learned;
  }

  /** Works until this time, by `performance.now()`, or to the end. Undefined when the document is complete. */
  next(end: number): string | undefined {
    return this.#isDone ? undefined : this.#options.context.run(() => this.#write(end));
  }

  #write(end: number): string {
    let piece = this.#walk === undefined ? this.#begin() : '';
    const writer = this.#writer as TextWriter;
    const walk = this.#walk as Walk;
    const isTimed = end !== Number.POSITIVE_INFINITY;
    const isTimeUp = () => isTimed && (piece.length >= pieceLength || performance.now() >= end);
    do {
      this.#isDone = walk.run(() => writer.length >= joinedLength || isTimeUp());
      piece += writer.take();
    } while (!this.#isDone && !isTimeUp());
    if (this.#masking === undefined && (!this.#isDone || walk.needsScan || writer.truncated))
      return this.#restartIfSecret(piece);
    return this.#isDone ? piece + this.#suffix : piece;
  }

  /** What comes before the document. */
  #begin(): string {
    const { at, from, glance, masking } = this.#options;
    // The document does not contain all secret keys, or their texts may come before them.
    if (at !== '' || from > 0 || glance || masking.secretData?.has(this.#root as object) === true)
      this.#masking = this.#scan();
    this.#start(this.#masking ?? masking);
    return glance ? this.#glancePrefix(this.#masking ?? masking) : '';
  }

  /**
   * Starts again, before the first piece is returned, if texts under secret keys may also occur elsewhere in the document.
   */
  #restartIfSecret(piece: string): string {
    this.#masking = this.#scan();
    if (this.#masking === this.#options.masking) return piece;
    if (this.#isDone && this.learned?.mayBeIn(piece) === false) return piece;
    this.#walk?.abandon();
    this.#isDone = false;
    this.#start(this.#masking);
    return '';
  }

  #scan(): Masking {
    return learningMasking(this.#root, this.#options.masking, this.#options.context, this.#options.contentOf);
  }

  #start(masking: Masking): void {
    const { format, context, contentOf, closed, at, stacks, text } = this.#options;
    const isJson = format === 'json';
    this.#writer = isJson
      ? new JsonWriter(this.#options, masking)
      : new XmlWriter(typeName(this.#part.value), this.#options, masking);
    // Not spread, since that is slow.
    const walking: WalkOptions = { context, masking, text, closed, contentOf, at, stacks, places: new Map() };
    this.#walk = new Walk(this.#part, walking, this.#writer);
  }

  /** Ends it early, but well-formed: `next` returns the rest. */
  cut(): void {
    if (!this.#isDone) this.#options.context.run(() => this.#walk?.cut());
  }

  /** Frees everything at once. */
  abandon(): void {
    this.#isDone = true;
    this.#options.context.run(() => this.#walk?.abandon());
  }

  /** The beginning of `{ glance, bean }`, whose end is the suffix. */
  #glancePrefix(masking: Masking): string {
    const { views, closed, privateFields, pretty } = this.#options;
    const isSecret = this.#part.secrecy !== noSecret;
    const glanced: State = isSecret
      ? { line: '', readings: [] }
      : stateOf(this.#part.value, { views, masking, closed, privateFields });
    const { line, view, readings } = glanced;
    const [newLine, margin, space] = pretty ? ['\n', '  ', ' '] : ['', '', ''];
    const glance = JSON.stringify({ line, view, readings }, null, margin);
    this.#suffix = `${newLine}}`;
    return `{${newLine}${margin}"glance":${space}${glance.replaceAll('\n', `\n${margin}`)},${newLine}${margin}"bean":${space}`;
  }
}
