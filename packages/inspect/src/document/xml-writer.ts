import { TextWriter, type WriterOptions } from './text-writer.ts';
import { xmlName } from './xml-names.ts';
import { xmlText } from './xml-text.ts';

/** Writes XML 1.0: an element for every entry, named for its key. */
export class XmlWriter extends TextWriter {
  /** The names of the open elements, and their outer `#entryName`. */
  readonly #names: string[] = [];
  readonly #entryNames: (string | undefined)[] = [];
  /** The element name of the next entries; undefined for their keys. */
  #entryName: string | undefined;
  /** Whether the innermost start tag is still open. */
  #isEmpty = false;

  /** @param type of the value, the name of the root element */
  constructor(type: string, options: WriterOptions) {
    super(options);
    this.#entryName = xmlName(type);
  }

  protected override scalar(text: string, isText: boolean, key: string): void {
    const name = this.#begin(key);
    if (text === '' || (!isText && text === 'null')) this.output += '/>';
    else this.output += `>${isText ? xmlText(text) : text}</${name}>`;
  }

  protected override start(isList: boolean, key: string): void {
    const name = this.#begin(key);
    this.#names.push(name);
    this.#entryNames.push(this.#entryName);
    this.#entryName = isList ? 'item' : undefined;
    this.#isEmpty = true;
  }

  protected override end(): void {
    const name = this.#names.pop() as string;
    if (!this.#isEmpty) this.newLine();
    this.output += this.#isEmpty ? '/>' : `</${name}>`;
    this.#isEmpty = false;
    this.#entryName = this.#entryNames.pop();
  }

  protected override encodedKey(key: string): string {
    return xmlName(key);
  }

  /** Writes a start tag without its end, which depends on whether the element is empty. */
  #begin(key: string): string {
    if (this.#isEmpty) this.output += '>';
    this.#isEmpty = false;
    if (this.#names.length > 0) this.newLine();
    const name = this.#entryName ?? key;
    this.output += `<${name}`;
    return name;
  }
}
