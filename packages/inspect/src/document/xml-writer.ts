import { TextWriter, type WriterOptions } from './text-writer.ts';
import { xmlName } from './xml-names.ts';
import { xmlText } from './xml-text.ts';

/** Writes XML 1.0: an element for every entry, named for its key. */
export class XmlWriter extends TextWriter {
  /** The names of the open elements, and what `#entryName` was before each. */
  readonly #names: string[] = [];
  readonly #entryNames: (string | undefined)[] = [];
  /** Of the entries that come next: undefined for the names of their keys. */
  #entryName: string | undefined;
  /** Whether the start tag of the innermost element has no end yet. */
  #isEmpty = false;

  /** @param type of the value, for which the root element is named */
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

  /** All of a start tag but its end, which tells whether the element is empty. */
  #begin(key: string): string {
    if (this.#isEmpty) this.output += '>';
    this.#isEmpty = false;
    if (this.#names.length > 0) this.newLine();
    const name = this.#entryName ?? key;
    this.output += `<${name}`;
    return name;
  }
}
