import { ByteWriter } from './byte-writer.ts';
import { AT_SIGN, jsonCharacters, SPECIAL } from './characters.ts';
import { writeDigits } from './digits.ts';
import { ITEM, type Label } from './label.ts';
import type { CompiledWriter, Shape } from './writing.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Longer texts are copied faster by the engine's own code. */
const SHORT = 60;

const MOST_EXACT = 999_999_999_999_999;

const PLAIN = /^[ !#-[\]-~]*$/;

/** Writes JSON. Every value is followed by a comma, which the end of its container replaces. */
export class JsonWriter extends ByteWriter {
  override compiled(shape: Shape): CompiledWriter {
    return shape.json;
  }

  override text(value: string): void {
    const { length } = value;
    if (length > SHORT || (length >= this.shortestSecret && this.secrets.mayBeIn(value))) {
      this.#slowText(value);
      return;
    }
    this.reserve(length + 3);
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    bytes[position++] = QUOTE;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      kinds |= jsonCharacters[code] as number;
      bytes[position++] = code;
    }
    if (kinds !== 0 && (kinds !== AT_SIGN || value.includes('://'))) {
      this.#slowText(value);
      return;
    }
    bytes[position++] = QUOTE;
    bytes[position++] = COMMA;
    this.position = position;
  }

  override number(value: number): void {
    if (Number.isInteger(value) && value <= MOST_EXACT && value >= -MOST_EXACT) {
      const end = writeDigits(this.bytes, this.position, value);
      this.bytes[end] = COMMA;
      this.position = end + 1;
    } else if (Number.isFinite(value)) this.#word(String(value));
    else this.text(String(value));
  }

  override entryShown(text: string, label: Label | string): void {
    this.#label(label);
    this.#escaped(text, true);
  }

  override entryText(value: string, label: Label | string): void {
    this.#label(label);
    this.text(value);
  }

  override entryNumber(value: number, label: Label | string): void {
    this.#label(label);
    this.number(value);
  }

  override entryWord(word: string, label: Label | string): void {
    this.#label(label);
    this.#word(word);
  }

  override entryNull(label: Label | string): void {
    this.#label(label);
    this.#word('null');
  }

  override openObject(label: Label | string): void {
    this.#label(label);
    this.bytes[this.position++] = OPEN_OBJECT;
  }

  override openList(label: Label | string): void {
    this.#label(label);
    this.bytes[this.position++] = OPEN_LIST;
  }

  protected override rootLabel(): Label {
    return ITEM;
  }

  protected override endObject(): void {
    this.#end(CLOSE_OBJECT);
  }

  protected override endList(): void {
    this.#end(CLOSE_LIST);
  }

  /** There is nothing that the root could be separated from. */
  protected override endDocument(): void {
    this.position--;
  }

  #end(close: number): void {
    const { bytes, position } = this;
    const end = bytes[position - 1] === COMMA ? position - 1 : position;
    bytes[end] = close;
    bytes[end + 1] = COMMA;
    this.position = end + 2;
  }

  #label(label: Label | string): void {
    if (typeof label === 'string') {
      this.#key(label);
      return;
    }
    if (label.json.length > 0) this.constant(label.json);
  }

  #key(key: string): void {
    const { length } = key;
    if (length > SHORT) {
      this.#escaped(key, false);
      return;
    }
    this.reserve(length + 3);
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    bytes[position++] = QUOTE;
    for (let index = 0; index < length; index++) {
      const code = key.charCodeAt(index);
      kinds |= jsonCharacters[code] as number;
      bytes[position++] = code;
    }
    if ((kinds & SPECIAL) !== 0) {
      this.#escaped(key, false);
      return;
    }
    bytes[position++] = QUOTE;
    bytes[position++] = 0x3a;
    this.position = position;
  }

  /** Any text, as a value or as a key. */
  #escaped(text: string, isValue: boolean): void {
    if (PLAIN.test(text)) {
      this.reserve(text.length + 3);
      this.bytes[this.position++] = QUOTE;
      this.position += this.bytes.write(text, this.position, 'latin1');
      this.bytes[this.position++] = QUOTE;
    } else {
      const literal = JSON.stringify(text);
      this.reserve(literal.length * 3 + 1);
      this.position += this.bytes.write(literal, this.position);
    }
    this.bytes[this.position++] = isValue ? COMMA : 0x3a;
  }

  #slowText(value: string): void {
    this.#escaped(this.shown(value), true);
  }

  #word(word: string): void {
    this.reserve(word.length + 1);
    const { bytes } = this;
    let position = this.position;
    for (let index = 0; index < word.length; index++) bytes[position++] = word.charCodeAt(index);
    bytes[position++] = COMMA;
    this.position = position;
  }
}
