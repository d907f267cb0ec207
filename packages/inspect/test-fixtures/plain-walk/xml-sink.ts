import type { ContainerKind } from '../../src/walk/cursors.ts';
import { xmlText } from '../../src/xml/xml-text.ts';
import { plainNames, type XmlNames } from './prefix-sink.ts';
import type { Sink } from './walk.ts';

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
