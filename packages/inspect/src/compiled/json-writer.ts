import { maskMark } from '../masking/secrets.ts';
import { jsonCharacters, special, writeDigits } from './byte-output.ts';
import { ByteWriter } from './byte-writer.ts';
import { type EncodedKey, type EntryKey, itemKey } from './encoded-key.ts';
import type { CompiledWriter, Shape } from './writer-context.ts';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Longer texts are copied faster by the engine's own code. */
const shortText = 60;

const maxExact = 999_999_999_999_999;

const plainText = /^[ !#-[\]-~]*$/;

/** Writes JSON. Every value is followed by a comma, which the end of its container replaces. */
export class JsonWriter extends ByteWriter {
  override compiled(shape: Shape): CompiledWriter {
    return shape.json;
  }

  override text(value: string): void {
    const { length } = value;
    if (length > shortText || (length >= this.shortestSecret && this.secrets.isWrittenIn(value))) {
      this.#slowText(value);
      return;
    }
    this.reserve(length + 3);
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    bytes[position++] = quote;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      kinds |= jsonCharacters[code] as number;
      bytes[position++] = code;
    }
    if (kinds !== 0 && this.needsSlowPath(value, kinds)) {
      this.#slowText(value);
      return;
    }
    bytes[position++] = quote;
    bytes[position++] = comma;
    this.position = position;
  }

  override number(value: number): void {
    if (this.hasNumbers && this.secrets.isInNumber(value)) this.text(maskMark);
    else if (Number.isInteger(value) && value <= maxExact && value >= -maxExact) {
      const end = writeDigits(this.bytes, this.position, value);
      this.bytes[end] = comma;
      this.position = end + 1;
    } else if (Number.isFinite(value)) this.#word(String(value));
    else this.text(String(value));
  }

  override entryShown(text: string, entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.#escaped(text, true);
  }

  override entryText(value: string, entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.text(value);
  }

  override entryNumber(value: number, entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.number(value);
  }

  override entryWord(word: string, entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.#word(word);
  }

  override entryNull(entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.#word('null');
  }

  override openObject(entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.bytes[this.position++] = openBrace;
  }

  override openList(entryKey: EntryKey): void {
    this.#writeKey(entryKey);
    this.bytes[this.position++] = openBracket;
  }

  protected override rootKey(): EncodedKey {
    return itemKey;
  }

  protected override endObject(): void {
    this.#end(closeBrace);
  }

  protected override endList(): void {
    this.#end(closeBracket);
  }

  /** There is nothing that the root could be separated from. */
  protected override endDocument(): void {
    this.position--;
  }

  #end(close: number): void {
    const { bytes, position } = this;
    const end = bytes[position - 1] === comma ? position - 1 : position;
    bytes[end] = close;
    bytes[end + 1] = comma;
    this.position = end + 2;
  }

  #writeKey(entryKey: EntryKey): void {
    if (typeof entryKey === 'string') {
      this.#encodeKey(entryKey);
      return;
    }
    if (entryKey.json.length > 0) this.constant(entryKey.json);
  }

  #encodeKey(key: string): void {
    const { length } = key;
    if (length > shortText) {
      this.#escaped(key, false);
      return;
    }
    this.reserve(length + 3);
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    bytes[position++] = quote;
    for (let index = 0; index < length; index++) {
      const code = key.charCodeAt(index);
      kinds |= jsonCharacters[code] as number;
      bytes[position++] = code;
    }
    if ((kinds & special) !== 0) {
      this.#escaped(key, false);
      return;
    }
    bytes[position++] = quote;
    bytes[position++] = 0x3a;
    this.position = position;
  }

  /** Any text, as a value or as a key. */
  #escaped(text: string, isValue: boolean): void {
    if (plainText.test(text)) {
      this.reserve(text.length + 3);
      this.bytes[this.position++] = quote;
      this.position += this.bytes.write(text, this.position, 'latin1');
      this.bytes[this.position++] = quote;
    } else {
      const literal = JSON.stringify(text);
      this.reserve(literal.length * 3 + 1);
      this.position += this.bytes.write(literal, this.position);
    }
    this.bytes[this.position++] = isValue ? comma : 0x3a;
  }

  #slowText(value: string): void {
    this.#escaped(this.maskedAndCut(value), true);
  }

  #word(word: string): void {
    this.reserve(word.length + 1);
    const { bytes } = this;
    let position = this.position;
    for (let index = 0; index < word.length; index++) bytes[position++] = word.charCodeAt(index);
    bytes[position++] = comma;
    this.position = position;
  }
}
