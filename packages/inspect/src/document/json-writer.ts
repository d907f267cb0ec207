import { TextWriter } from './text-writer.ts';

/** Writes JSON (RFC 8259), in the format of `JSON.stringify`. */
export class JsonWriter extends TextWriter {
  readonly #isOuterList: boolean[] = [];
  #isList = true;
  #isFirst = true;

  protected override scalar(text: string, isText: boolean, key: string): void {
    this.#write(key, isText ? quoted(text) : text);
  }

  protected override start(isList: boolean, key: string): void {
    this.#write(key, isList ? '[' : '{');
    this.#isOuterList.push(this.#isList);
    this.#isList = isList;
    this.#isFirst = true;
  }

  protected override end(): void {
    const before = this.#isFirst ? '' : this.newLine();
    this.output += `${before}${this.#isList ? ']' : '}'}`;
    this.#isList = this.#isOuterList.pop() as boolean;
    this.#isFirst = false;
  }

  protected override encodedKey(key: string): string {
    return needsEscape.test(key) ? `${JSON.stringify(key)}:${this.space}` : `"${key}":${this.space}`;
  }

  #write(key: string, value: string): void {
    const entry = this.#isList ? value : key + value;
    if (this.#isOuterList.length === 0) this.output += value;
    else this.output += this.#isFirst ? this.newLine() + entry : `,${this.newLine()}${entry}`;
    this.#isFirst = false;
  }
}

/** Characters that JSON must escape, and possibly lone surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

const quoted = (text: string): string => (needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`);
