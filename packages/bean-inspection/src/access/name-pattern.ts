/** A name in which `*` stands for any text. Not a regular expression: with several stars, a long name would take minutes. */
export class NamePattern {
  readonly #start: string;
  readonly #middles: readonly string[];
  readonly #end: string | undefined;

  constructor(text: string) {
    const [start = '', ...others] = text.split('*');
    this.#start = start;
    this.#end = others.pop();
    this.#middles = others;
  }

  /** The first place for each part is always the best, so that nothing is ever tried twice. */
  matches(name: string): boolean {
    if (this.#end === undefined) return name === this.#start;
    if (!name.startsWith(this.#start)) return false;
    let place = this.#start.length;
    for (const middle of this.#middles) {
      const found = name.indexOf(middle, place);
      if (found === -1) return false;
      place = found + middle.length;
    }
    return name.length - place >= this.#end.length && name.endsWith(this.#end);
  }
}
