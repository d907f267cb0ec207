import type { ContainerKind } from '../walk/cursors.ts';
import type { Sink } from '../walk/walk.ts';
import { plainNames, type XmlNames } from './xml-names.ts';

const itemName = 'item';

interface OpenElement {
  readonly kind: ContainerKind;
  readonly name: string;
  isEmpty: boolean;
}

interface XmlSinkOptions {
  readonly names?: XmlNames;
  readonly indent?: string;
}

/** Writes what a walk finds as XML 1.0: an element for every entry, named for its key. */
export class XmlSink implements Sink {
  readonly #names: XmlNames;
  readonly #indent: string;
  readonly #elements: OpenElement[] = [];
  #output = '';
  #name: string;

  constructor(type: string, { names = plainNames, indent = '' }: XmlSinkOptions = {}) {
    this.#names = names;
    this.#indent = indent;
    this.#name = names.nameOf(type);
  }

  get length(): number {
    return this.#output.length;
  }

  /** What was written since the last call. */
  take(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  key(name: string): void {
    this.#name = this.#names.nameOf(name);
  }

  null(): void {
    this.#element('');
  }

  boolean(value: boolean): void {
    this.#element(String(value));
  }

  number(value: number | bigint): void {
    this.#element(String(value));
  }

  text(value: string): void {
    this.#element(xmlText(value));
  }

  open(kind: ContainerKind): void {
    const name = this.#nextName();
    this.#startTag(name);
    this.#elements.push({ kind, name, isEmpty: true });
  }

  close(): void {
    const element = this.#elements.pop();
    if (element === undefined) return;
    if (!element.isEmpty) this.#newLine();
    this.#output += element.isEmpty ? '/>' : `</${element.name}>`;
  }

  #element(content: string): void {
    const name = this.#nextName();
    this.#startTag(name);
    this.#output += content === '' ? '/>' : `>${content}</${name}>`;
  }

  #nextName(): string {
    return this.#elements.at(-1)?.kind === 'list' ? itemName : this.#name;
  }

  /** All of a start tag but its end, which tells whether the element is empty. */
  #startTag(name: string): void {
    const parent = this.#elements.at(-1);
    if (parent?.isEmpty === true) {
      parent.isEmpty = false;
      this.#output += '>';
    }
    if (parent !== undefined) this.#newLine();
    this.#output += `<${name}${this.#names.attributesOf(name, parent === undefined)}`;
  }

  #newLine(): void {
    if (this.#indent !== '') this.#output += `\n${this.#indent.repeat(this.#elements.length)}`;
  }
}

const replacement = '\uFFFD';

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** All but plain text: markup, the carriage return that a parser would turn into a line feed, what XML 1.0 forbids. */
const specialCharacters = /[^\t\n -%'-;=?-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text as element content. */
export function xmlText(text: string): string {
  return text.replace(specialCharacters, (character) => references[character] ?? replacement);
}
