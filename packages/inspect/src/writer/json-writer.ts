import { maskMark } from '../masking/secrets.ts';
import { Constant, jsonCharacters, special, writeDigits } from './byte-output.ts';
import { type EntryKey, itemKey } from './encoded-key.ts';
import type { Frame } from './frame.ts';
import { Writer } from './writer.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const trueWord = new Constant('true,');
const falseWord = new Constant('false,');
const nullWord = new Constant('null,');

/** Longer texts are copied faster by the engine's own code. */
const shortText = 60;

const maxExact = 999_999_999_999_999;

const plainText = /^[ !#-[\]-~]*$/;

/** Writes JSON (RFC 8259). Every value is followed by a comma, which the end of its container replaces. */
export class JsonWriter extends Writer {
  protected override text(value: string, key: EntryKey): void {
    this.#key(key);
    const { length } = value;
    const isShort = length <= shortText && !this.holdsSecret(value);
    const kinds = isShort ? this.#quoted(value) : special;
    if (kinds !== 0 && this.needsSlowPath(value, kinds)) this.#escaped(this.maskedAndCut(value));
    else this.#end(length + 2, comma);
  }

  protected override shown(text: string, key: EntryKey): void {
    this.#key(key);
    this.#escaped(text);
  }

  protected override number(value: number, key: EntryKey): void {
    if (this.hasNumbers && this.secrets.isInNumber(value)) this.shown(maskMark, key);
    else if (Number.isInteger(value) && value <= maxExact && value >= -maxExact) {
      this.#key(key);
      const end = writeDigits(this.bytes, this.position, value);
      this.bytes[end] = comma;
      this.position = end + 1;
    } else if (Number.isFinite(value)) this.digits(String(value), key);
    else this.text(String(value), key);
  }

  protected override digits(digits: string, key: EntryKey): void {
    this.#key(key);
    const { length } = digits;
    const { bytes, position } = this;
    for (let index = 0; index < length; index++) bytes[position + index] = digits.charCodeAt(index);
    this.#end(length, comma);
  }

  protected override boolean(value: boolean, key: EntryKey): void {
    this.#key(key);
    this.constant(value ? trueWord : falseWord);
  }

  protected override null(key: EntryKey): void {
    this.#key(key);
    this.constant(nullWord);
  }

  protected override open({ key, isList }: Frame): void {
    // The frame is open already, but what is written here stands in the one around it.
    this.#key(key, this.depth - 1);
    this.bytes[this.position++] = isList ? openBracket : openBrace;
  }

  protected override close({ isList }: Frame): void {
    if (this.bytes[this.position - 1] === comma) {
      this.position--;
      if (this.isPretty) this.newLine(this.depth - 1);
    }
    this.bytes[this.position++] = isList ? closeBracket : closeBrace;
    this.bytes[this.position++] = comma;
  }

  protected override rootKey(): EntryKey {
    return itemKey;
  }

  /** There is nothing that the root could be separated from. */
  protected override endDocument(): void {
    this.position--;
  }

  #key(key: EntryKey, depth = this.depth): void {
    if (this.isPretty && depth > 0) this.newLine(depth);
    if (key === itemKey) return;
    if (typeof key === 'object') this.constant(key.json ?? key.makeJson());
    else this.#encodeKey(key);
    if (this.isPretty) this.bytes[this.position++] = space;
  }

  #encodeKey(key: string): void {
    if (key.length <= shortText && (this.#quoted(key) & special) === 0) this.#end(key.length + 2, colon);
    else {
      this.#escaped(key);
      this.bytes[this.position - 1] = colon;
    }
  }

  /** Puts a short text between quotes behind the position, and tells of which kinds its characters are. */
  #quoted(text: string): number {
    const { length } = text;
    const { bytes } = this;
    let position = this.position;
    let kinds = 0;
    bytes[position++] = quote;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      kinds |= jsonCharacters[code] as number;
      bytes[position++] = code;
    }
    bytes[position] = quote;
    return kinds;
  }

  #end(length: number, end: number): void {
    const position = this.position + length;
    this.bytes[position] = end;
    this.position = position + 1;
  }

  /** Any text that is as it shall be shown. */
  #escaped(text: string): void {
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
    this.bytes[this.position++] = comma;
  }
}
