import { types } from 'node:util';
import { maskMark } from '../masking/secrets.ts';
import { typeName } from '../walk/reflection.ts';
import { xmlName } from '../xml/xml-name.ts';
import type { NamespacedNames } from '../xml/xml-names.ts';
import { xmlText } from '../xml/xml-text.ts';
import { Constant, characterTable, special, writeDigits, xmlCharacters } from './byte-output.ts';
import { type EntryKey, encodedKey } from './encoded-key.ts';
import type { Frame } from './frame.ts';
import { Writer } from './writer.ts';

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;

const trueWord = new Constant('true');
const falseWord = new Constant('false');

/** Longer texts are copied faster by the engine's own code. */
const shortText = 60;

const maxExact = 999_999_999_999_999;

/** Writes XML 1.0: an element for every entry, named for its key. */
export class XmlWriter extends Writer {
  /** Declares prefixes, for namespace-aware parsers. */
  names: NamespacedNames | undefined;
  /** Whether this pass only finds the prefixes. */
  isFindingPrefixes = false;

  protected override text(value: string, key: EntryKey): void {
    if (value === '') {
      this.null(key);
      return;
    }
    this.#startTag(key);
    const { length } = value;
    const isShort = length <= shortText && !this.holdsSecret(value);
    const kinds = isShort ? this.#plain(value, xmlCharacters) : special;
    if (kinds !== 0 && this.needsSlowPath(value, kinds)) this.#raw(xmlText(this.maskedAndCut(value)));
    else this.position += length;
    this.#endTag(key);
  }

  protected override shown(text: string, key: EntryKey): void {
    if (text === '') {
      this.null(key);
      return;
    }
    this.#startTag(key);
    this.#raw(xmlText(text));
    this.#endTag(key);
  }

  protected override number(value: number, key: EntryKey): void {
    if (this.hasNumbers && this.secrets.isInNumber(value)) this.shown(maskMark, key);
    else if (Number.isInteger(value) && value <= maxExact && value >= -maxExact) {
      this.#startTag(key);
      this.position = writeDigits(this.bytes, this.position, value);
      this.#endTag(key);
    } else if (Number.isFinite(value)) this.digits(String(value), key);
    else this.text(String(value), key);
  }

  protected override digits(digits: string, key: EntryKey): void {
    this.#startTag(key);
    this.#plain(digits, xmlCharacters);
    this.position += digits.length;
    this.#endTag(key);
  }

  protected override boolean(value: boolean, key: EntryKey): void {
    this.#startTag(key);
    this.constant(value ? trueWord : falseWord);
    this.#endTag(key);
  }

  protected override null(key: EntryKey): void {
    this.#startTag(key);
    this.#emptyTag();
  }

  protected override open(frame: Frame): void {
    this.#startTag(frame.key, this.depth - 1);
    frame.content = this.base + this.position;
  }

  protected override close({ key, content }: Frame): void {
    if (content === this.base + this.position) this.#emptyTag();
    else {
      if (this.isPretty) this.newLine(this.depth - 1);
      this.#endTag(key);
    }
  }

  /** The root element is named for the type of the value. */
  protected override rootKey(value: unknown): EntryKey {
    const type = isPlainObject(value) ? 'Object' : this.shownKey(typeName(value));
    return encodedKey(type) ?? type;
  }

  protected override endDocument(): void {}

  /** Makes the start tag that was just written the tag of an empty element. */
  #emptyTag(): void {
    this.bytes[this.position - 1] = slash;
    this.bytes[this.position++] = greater;
  }

  #startTag(key: EntryKey, depth = this.depth): void {
    if (this.isPretty && depth > 0) this.newLine(depth);
    if (this.names !== undefined) this.#raw(this.#namespacedTag(key, this.names, depth === 0));
    else if (typeof key === 'object') this.constant((key.xml ?? key.makeXml()).open);
    else {
      this.bytes[this.position++] = less;
      this.#name(key);
      this.bytes[this.position++] = greater;
    }
  }

  #namespacedTag(key: EntryKey, names: NamespacedNames, isRoot: boolean): string {
    const text = typeof key === 'object' ? key.text : key;
    if (this.isFindingPrefixes && !isRoot) names.declare(text);
    const name = names.nameOf(text);
    return `<${name}${names.attributesOf(name, isRoot)}>`;
  }

  #endTag(key: EntryKey): void {
    if (this.names !== undefined) this.#raw(`</${this.names.nameOf(typeof key === 'object' ? key.text : key)}>`);
    else if (typeof key === 'object') this.constant((key.xml ?? key.makeXml()).close);
    else {
      this.bytes[this.position++] = less;
      this.bytes[this.position++] = slash;
      this.#name(key);
      this.bytes[this.position++] = greater;
    }
  }

  #name(key: string): void {
    const { length } = key;
    const isShort = length > 0 && length <= shortText;
    const kinds = isShort ? (nameStarts[key.charCodeAt(0)] as number) | this.#plain(key, nameContinues) : special;
    if (kinds !== 0 && ((kinds & special) !== 0 || key.includes('_x'))) this.#raw(xmlName(key));
    else this.position += length;
  }

  /** Puts a text behind the position, and tells of which kinds its characters are. */
  #plain(text: string, table: Uint16Array): number {
    const { length } = text;
    const { bytes, position } = this;
    let kinds = 0;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      kinds |= table[code] as number;
      bytes[position + index] = code;
    }
    return kinds;
  }

  #raw(text: string): void {
    this.reserve(text.length * 3);
    this.position += this.bytes.write(text, this.position);
  }
}

/** The commonest root, which needs no search for its class. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
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
