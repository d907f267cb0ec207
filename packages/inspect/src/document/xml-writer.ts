import type { Masking } from '../masking/masking.ts';
import { TextWriter, type WriterOptions } from './text-writer.ts';
import { xmlName, xmlText } from './xml-text.ts';

/** Writes XML 1.0: an element for every entry, named for its key. Tags are kept as `name>`, which saves joining them for each entry. */
export class XmlWriter extends TextWriter {
  /** The tags of the open elements, and their outer `#entryTag`. */
  readonly #tags: string[] = [];
  readonly #entryTags: (string | undefined)[] = [];
  /** The tag of the next entries; undefined to use the key of each. */
  #entryTag: string | undefined;
  /** Whether the innermost start tag is still open. */
  #isTagOpen = false;

  /** @param type of the value, the name of the root element */
  constructor(type: string, options: WriterOptions, masking: Masking) {
    super(options, masking);
    this.#entryTag = this.encodedKey(masking.key(type));
  }

  protected override scalar(text: string, isText: boolean, key: string): void {
    const tag = this.#entryTag ?? key;
    const before = this.#closeStartTag();
    if (text === '' || (!isText && text === 'null')) this.output += `${before}<${tag.slice(0, -1)}/>`;
    else this.output += `${before}<${tag}${isText ? xmlText(text) : text}</${tag}`;
  }

  protected override start(isList: boolean, key: string): void {
    const tag = this.#entryTag ?? key;
    this.output += `${this.#closeStartTag()}<${tag.slice(0, -1)}`;
    this.#tags.push(tag);
    this.#entryTags.push(this.#entryTag);
    this.#entryTag = isList ? 'item>' : undefined;
    this.#isTagOpen = true;
  }

  protected override end(): void {
    const tag = this.#tags.pop() as string;
    this.output += this.#isTagOpen ? '/>' : `${this.newLine()}</${tag}`;
    this.#isTagOpen = false;
    this.#entryTag = this.#entryTags.pop();
  }

  protected override encodedKey(key: string): string {
    return `${xmlName(key)}>`;
  }

  /** Ends the start tag of the parent, if that is still open, and begins a new line. */
  #closeStartTag(): string {
    const end = this.#isTagOpen ? '>' : '';
    this.#isTagOpen = false;
    return this.#tags.length > 0 ? end + this.newLine() : end;
  }
}
