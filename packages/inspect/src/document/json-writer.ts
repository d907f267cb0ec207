import { TextWriter } from './text-writer.ts';

/** Writes JSON (RFC 8259), in the format of `JSON.stringify`. */
export class JsonWriter extends TextWriter {
  readonly #lists: boolean[] = [];
  #isList = true;
  #isFirst = true;

  protected override scalar(text: string, isText: boolean, key: string): void {
    this.#write(key, isText ? quoted(text) : text);
  }

  protected override start(isList: boolean, key: string): void {
    this.#write(key, isList ? '[' : '{');
    this.#lists.push(this.#isList);
    this.#isList = isList;
    this.#isFirst = true;
  }

  protected override end(): void {
    if (!this.#isFirst) this.newLine();
    this.output += this.#isList ? ']' : '}';
    this.#isList = this.#lists.pop() as boolean;
    this.#isFirst = false;
  }

  protected override encodedKey(key: string): string {
    return `${quoted(key)}:${this.space}`;
  }

  #write(key: string, value: string): void {
    if (!this.#isFirst) this.output += ',';
    this.#isFirst = false;
    if (this.#lists.length > 0) this.newLine();
    this.output += this.#isList ? value : key + value;
  }
}

/** Characters that JSON must escape, and possibly lone surrogates. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`);
