import type { Masking } from '../masking/masking.ts';
import { TextWriter, type WriterOptions } from './text-writer.ts';
import { xmlName, xmlText } from './xml-text.ts';

/** Writes XML 1.0: an element for every entry, named for its key. */
export class XmlWriter extends TextWriter {
  /** The names of the open elements, and their outer `#entryName`. */
  readonly #names: string[] = [];
  readonly #entryNames: (string | undefined)[] = [];
  /** The element name of the next entries; undefined to use the key of each. */
  #entryName: string | undefined;
  /** Whether the innermost start tag is still open. */
  #isTagOpen = false;

  /** @param type of the value, the name of the root element */
  constructor(type: string, options: WriterOptions, masking: Masking) {
    super(options, masking);
    this.#entryName = xmlName(masking.key(type));
  }

  protected override scalar(text: string, isText: boolean, key: string): void {
    const name = this.#entryName ?? key;
    const before = this.#before();
    if (text === '' || (!isText && text === 'null')) this.output += `${before}<${name}/>`;
    else this.output += `${before}<${name}>${isText ? xmlText(text) : text}</${name}>`;
  }

  protected override start(isList: boolean, key: string): void {
    const name = this.#entryName ?? key;
    this.output += `${this.#before()}<${name}`;
    this.#names.push(name);
    this.#entryNames.push(this.#entryName);
    this.#entryName = isList ? 'item' : undefined;
    this.#isTagOpen = true;
  }

  protected override end(): void {
    const name = this.#names.pop() as string;
    this.output += this.#isTagOpen ? '/>' : `${this.newLine()}</${name}>`;
    this.#isTagOpen = false;
    this.#entryName = this.#entryNames.pop();
  }

  protected override encodedKey(key: string): string {
    return xmlName(key);
  }

  /** The end of the start tag before, which depends on whether the element is empty, and the line. */
  #before(): string {
    const end = this.#isTagOpen ? '>' : '';
    this.#isTagOpen = false;
    return this.#names.length > 0 ? end + this.newLine() : end;
  }
}
