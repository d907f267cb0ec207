import type { ContainerKind } from '../../src/walk/cursors.ts';
import type { Sink } from './walk.ts';

/** Writes what a walk finds as JSON (RFC 8259), in the format of `JSON.stringify`. */
export class JsonSink implements Sink {
  readonly #indent: string;
  readonly #open: ContainerKind[] = [];
  #output = '';
  #isFirst = true;
  #hasKey = false;

  constructor(indent = '') {
    this.#indent = indent;
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
    this.#separate();
    this.#output += JSON.stringify(name) + (this.#indent === '' ? ':' : ': ');
    this.#hasKey = true;
  }

  null(): void {
    this.#write('null');
  }

  boolean(value: boolean): void {
    this.#write(String(value));
  }

  number(value: number | bigint): void {
    this.#write(String(value));
  }

  text(value: string): void {
    this.#write(JSON.stringify(value));
  }

  open(kind: ContainerKind): void {
    this.#write(kind === 'object' ? '{' : '[');
    this.#open.push(kind);
    this.#isFirst = true;
  }

  close(): void {
    const kind = this.#open.pop();
    if (!this.#isFirst) this.#newLine();
    this.#output += kind === 'object' ? '}' : ']';
    this.#isFirst = false;
  }

  #write(text: string): void {
    if (this.#hasKey) this.#hasKey = false;
    else this.#separate();
    this.#output += text;
  }

  #separate(): void {
    if (this.#open.length === 0) return;
    if (!this.#isFirst) this.#output += ',';
    this.#isFirst = false;
    this.#newLine();
  }

  #newLine(): void {
    if (this.#indent !== '') this.#output += `\n${this.#indent.repeat(this.#open.length)}`;
  }
}
