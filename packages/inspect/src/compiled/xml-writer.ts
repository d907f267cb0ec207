import { maskMark } from '../masking/secrets.ts';
import { xmlName } from '../xml/xml-name.ts';
import { xmlText } from '../xml/xml-sink.ts';
import { characterTable, special, writeDigits, xmlCharacters } from './byte-output.ts';
import { ByteWriter } from './byte-writer.ts';
import { type EncodedKey, type EntryKey, rootKey } from './encoded-key.ts';
import type { CompiledWriter, Shape } from './writer-context.ts';

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;

/** Longer texts are copied faster by the engine's own code. */
const shortText = 60;

const maxExact = 999_999_999_999_999;

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
    if (kinds !== 0 && this.needsSlowPath(value, kinds)) {
      this.#slowText(value);
      return;
    }
    this.position = position;
  }

  override number(value: number): void {
    if (this.hasNumbers && this.secrets.isInNumber(value)) this.#ascii(maskMark);
    else if (Number.isInteger(value) && value <= maxExact && value >= -maxExact) {
      this.position = writeDigits(this.bytes, this.position, value);
    } else this.#ascii(String(value));
  }

  override entryShown(text: string, entryKey: EntryKey): void {
    if (text === '') {
      this.entryNull(entryKey);
      return;
    }
    this.#startTag(entryKey);
    this.#raw(xmlText(text));
    this.#endTag(entryKey);
  }

  override entryText(value: string, entryKey: EntryKey): void {
    if (value === '') {
      this.entryNull(entryKey);
      return;
    }
    this.#startTag(entryKey);
    this.text(value);
    this.#endTag(entryKey);
  }

  override entryNumber(value: number, entryKey: EntryKey): void {
    this.#startTag(entryKey);
    this.number(value);
    this.#endTag(entryKey);
  }

  override entryWord(word: string, entryKey: EntryKey): void {
    this.#startTag(entryKey);
    this.#ascii(word);
    this.#endTag(entryKey);
  }

  override entryNull(entryKey: EntryKey): void {
    if (typeof entryKey === 'object') {
      this.constant(entryKey.xmlEmpty);
      return;
    }
    this.#startTag(entryKey);
    this.#emptyTag();
  }

  override openObject(entryKey: EntryKey): void {
    this.#startTag(entryKey);
    this.#contents[this.ancestors.depth] = this.base + this.position;
  }

  override openList(entryKey: EntryKey): void {
    this.openObject(entryKey);
  }

  protected override rootKey(value: unknown): EncodedKey {
    return rootKey(value, this.masking);
  }

  protected override endObject(entryKey: EntryKey): void {
    if (this.#contents[this.ancestors.depth] === this.base + this.position) this.#emptyTag();
    else this.#endTag(entryKey);
  }

  protected override endList(entryKey: EntryKey): void {
    this.endObject(entryKey);
  }

  protected override endDocument(): void {}

  /** Makes the start tag that was just written the tag of an empty element. */
  #emptyTag(): void {
    this.bytes[this.position - 1] = slash;
    this.bytes[this.position++] = greater;
  }

  #startTag(entryKey: EntryKey): void {
    if (typeof entryKey === 'object') {
      this.constant(entryKey.xmlOpen);
      return;
    }
    this.bytes[this.position++] = less;
    this.#name(entryKey);
    this.bytes[this.position++] = greater;
  }

  #endTag(entryKey: EntryKey): void {
    if (typeof entryKey === 'object') {
      this.constant(entryKey.xmlClose);
      return;
    }
    this.bytes[this.position++] = less;
    this.bytes[this.position++] = slash;
    this.#name(entryKey);
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
    this.#raw(xmlText(this.maskedAndCut(value)));
  }

  #ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let position = this.position;
    for (let index = 0; index < text.length; index++) bytes[position++] = text.charCodeAt(index);
    this.position = position;
  }
}

/** An underscore may begin what looks like an escape. */
const underscore = 2;

const nameStarts = characterTable((code) => nameKind(code, /[A-Za-z:]/));
const nameContinues = characterTable((code) => nameKind(code, /[A-Za-z\d:.-]/));

/** The ASCII characters of names; `xmlName` knows all others. */
function nameKind(code: number, plain: RegExp): number {
  if (code === 0x5f) return underscore;
  return plain.test(String.fromCharCode(code)) ? 0 : special;
}
