import { maskMark } from '../masking/secret-finder.ts';
import { xmlName } from '../xml/xml-name.ts';
import { xmlText } from '../xml/xml-text.ts';
import { ByteWriter } from './byte-writer.ts';
import { nameContinues, nameStarts, special, xmlCharacters } from './characters.ts';
import { writeDigits } from './digits.ts';
import { type Label, rootLabel } from './label.ts';
import type { CompiledWriter, Shape } from './writing.ts';

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;

/** Longer texts are copied faster by the engine's own code. */
const shortText = 60;

const mostExact = 999_999_999_999_999;

/** Writes XML. */
export class XmlWriter extends ByteWriter {
  /** Where the content of each open container begins, counted from the start of the document. */
  readonly #contents: number[] = [];

  override compiled(shape: Shape): CompiledWriter {
    return shape.xml;
  }

  override text(value: string): void {
    const { length } = value;
    if (length > shortText || (length >= this.shortestSecret && this.secrets.isWrittenIn(value))) {
      this.#slowText(value);
      return;
    }
    this.reserve(length);
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      kinds |= xmlCharacters[code] as number;
      bytes[position++] = code;
    }
    if (kinds !== 0 && this.needsCare(value, kinds)) {
      this.#slowText(value);
      return;
    }
    this.position = position;
  }

  override number(value: number): void {
    if (this.hasNumbers && this.secrets.isInNumber(value)) this.#ascii(maskMark);
    else if (Number.isInteger(value) && value <= mostExact && value >= -mostExact) {
      this.position = writeDigits(this.bytes, this.position, value);
    } else this.#ascii(String(value));
  }

  override entryShown(text: string, label: Label | string): void {
    if (text === '') {
      this.entryNull(label);
      return;
    }
    this.#startTag(label);
    this.#raw(xmlText(text));
    this.#endTag(label);
  }

  override entryText(value: string, label: Label | string): void {
    if (value === '') {
      this.entryNull(label);
      return;
    }
    this.#startTag(label);
    this.text(value);
    this.#endTag(label);
  }

  override entryNumber(value: number, label: Label | string): void {
    this.#startTag(label);
    this.number(value);
    this.#endTag(label);
  }

  override entryWord(word: string, label: Label | string): void {
    this.#startTag(label);
    this.#ascii(word);
    this.#endTag(label);
  }

  override entryNull(label: Label | string): void {
    if (typeof label === 'object') {
      this.constant(label.xmlEmpty);
      return;
    }
    this.#startTag(label);
    this.#emptyTag();
  }

  override openObject(label: Label | string): void {
    this.#startTag(label);
    this.#contents[this.ancestors.depth] = this.base + this.position;
  }

  override openList(label: Label | string): void {
    this.openObject(label);
  }

  protected override rootLabel(value: unknown): Label {
    return rootLabel(value, this.masking);
  }

  protected override endObject(label: Label | string): void {
    if (this.#contents[this.ancestors.depth] === this.base + this.position) this.#emptyTag();
    else this.#endTag(label);
  }

  protected override endList(label: Label | string): void {
    this.endObject(label);
  }

  protected override endDocument(): void {}

  /** Makes the start tag that was just written the tag of an empty element. */
  #emptyTag(): void {
    this.bytes[this.position - 1] = slash;
    this.bytes[this.position++] = greater;
  }

  #startTag(label: Label | string): void {
    if (typeof label === 'object') {
      this.constant(label.xmlOpen);
      return;
    }
    this.bytes[this.position++] = less;
    this.#name(label);
    this.bytes[this.position++] = greater;
  }

  #endTag(label: Label | string): void {
    if (typeof label === 'object') {
      this.constant(label.xmlClose);
      return;
    }
    this.bytes[this.position++] = less;
    this.bytes[this.position++] = slash;
    this.#name(label);
    this.bytes[this.position++] = greater;
  }

  #name(key: string): void {
    const { length } = key;
    if (length === 0 || length > shortText) {
      this.#raw(xmlName(key));
      return;
    }
    this.reserve(length);
    const { bytes } = this;
    let position = this.position;
    const first = key.charCodeAt(0);
    let kinds = nameStarts[first] as number;
    bytes[position++] = first;
    for (let index = 1; index < length; index++) {
      const code = key.charCodeAt(index);
      kinds |= nameContinues[code] as number;
      bytes[position++] = code;
    }
    if (kinds !== 0 && ((kinds & special) !== 0 || key.includes('_x'))) {
      this.#raw(xmlName(key));
      return;
    }
    this.position = position;
  }

  #raw(text: string): void {
    this.reserve(text.length * 3);
    this.position += this.bytes.write(text, this.position);
  }

  #slowText(value: string): void {
    this.#raw(xmlText(this.shown(value)));
  }

  #ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let position = this.position;
    for (let index = 0; index < text.length; index++) bytes[position++] = text.charCodeAt(index);
    this.position = position;
  }
}
