import type { Dialect } from '../connection/connection-options.ts';

export interface SqlStatement {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** The rows that follow `COPY … FROM stdin`, as `pg_dump` writes them. */
  readonly data?: string;
}

/** A line such as `\restrict` is a command of psql: outside of quotes, no statement of PostgreSQL has a backslash. */
export const isPsqlCommand = ({ text }: SqlStatement) => text.startsWith('\\');

const copyFromInput = /^copy\b[\s\S]*\bfrom\s+stdin\b/i;

/** What is skipped as a whole, since a semicolon in it ends no statement. */
const tokens: Readonly<Record<Dialect, RegExp>> = {
  postgresql:
    /(?<comment>--[^\n]*)|(?<block>\/\*)|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<dollar>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<psql>\\[^\n]*)|(?<end>;)|(?<space>\s+)|[\s\S]/y,
  mysql:
    /(?<comment>--(?=\s|$)[^\n]*|#[^\n]*)|(?<block>\/\*(?![!+]|M!))|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|(?<delimiter>delimiter[ \t]+(?<mark>\S+)[^\n]*)|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<end>;)|(?<space>\s+)|[\s\S]/iy,
};

/** The statements of an SQL file: by semicolons outside of strings, comments and bodies of functions, and by `DELIMITER` of MySQL. */
export function splitStatements(sql: string, dialect: Dialect): readonly SqlStatement[] {
  return new StatementSplitter(sql, dialect).split();
}

class StatementSplitter {
  readonly #sql: string;
  readonly #dialect: Dialect;
  readonly #statements: SqlStatement[] = [];
  /** Where the current statement begins; undefined between statements. */
  #start: number | undefined;
  #delimiter = ';';
  /** How many bodies of the form BEGIN ATOMIC … END, and CASE … END in them, are open. */
  #depth = 0;
  #previousWord = '';
  #counted = { at: 0, line: 1 };

  constructor(sql: string, dialect: Dialect) {
    this.#sql = sql;
    this.#dialect = dialect;
  }

  split(): readonly SqlStatement[] {
    const pattern = new RegExp(tokens[this.#dialect]);
    for (let at = 0; at < this.#sql.length; ) {
      if (this.#delimiter !== ';' && this.#sql.startsWith(this.#delimiter, at)) {
        this.#finish(at);
        at += this.#delimiter.length;
        continue;
      }
      pattern.lastIndex = at;
      at = this.#take(at, pattern.exec(this.#sql));
    }
    this.#finish(this.#sql.length);
    return this.#statements;
  }

  /** Gives where the next token begins. */
  #take(at: number, token: RegExpExecArray | null): number {
    const { comment, block, dollar, word, end, space, psql, delimiter, mark } = token?.groups ?? {};
    const next = at + (token?.[0].length ?? 1);
    if (space !== undefined || comment !== undefined) return next;
    if (block !== undefined) return this.#endOfComment(at);
    if (delimiter !== undefined && mark !== undefined && this.#start === undefined) {
      this.#delimiter = mark;
      return next;
    }
    if (psql !== undefined) {
      this.#add(at, next);
      return next;
    }
    if (end !== undefined && this.#delimiter === ';' && this.#depth === 0) {
      this.#finish(at);
      return this.#takeData(next);
    }
    this.#start ??= at;
    if (dollar !== undefined) {
      const close = this.#sql.indexOf(dollar, next);
      return close === -1 ? this.#sql.length : close + dollar.length;
    }
    if (word !== undefined) this.#count(word.toLowerCase());
    return next;
  }

  /** PostgreSQL, CREATE FUNCTION: a body in standard SQL is not quoted. */
  #count(word: string): void {
    if (this.#dialect !== 'postgresql') return;
    if (word === 'atomic' && this.#previousWord === 'begin') this.#depth++;
    else if (this.#depth > 0 && word === 'case') this.#depth++;
    else if (this.#depth > 0 && word === 'end') this.#depth--;
    this.#previousWord = word;
  }

  /** Comments of PostgreSQL can contain each other. */
  #endOfComment(start: number): number {
    const edge = /\/\*|\*\//g;
    edge.lastIndex = start + 2;
    for (let depth = 1, match = edge.exec(this.#sql); match !== null; match = edge.exec(this.#sql)) {
      if (match[0] === '*/') depth--;
      else if (this.#dialect === 'postgresql') depth++;
      if (depth === 0) return edge.lastIndex;
    }
    return this.#sql.length;
  }

  /** psql's manual, "COPY": the rows begin on the next line, and end with a backslash and a dot alone on one. */
  #takeData(from: number): number {
    const copy = this.#statements.at(-1);
    const isCopy = copy !== undefined && copy.data === undefined && copyFromInput.test(copy.text);
    if (this.#dialect !== 'postgresql' || !isCopy) return from;
    const newline = this.#sql.indexOf('\n', from);
    const start = newline === -1 ? this.#sql.length : newline + 1;
    const end = /^\\\.\r?$/m.exec(this.#sql.slice(start));
    const length = end?.index ?? this.#sql.length - start;
    this.#statements[this.#statements.length - 1] = { ...copy, data: this.#sql.slice(start, start + length) };
    return start + length + (end?.[0].length ?? 0);
  }

  /** Counted on from the statement before, since dumps are large. */
  #lineOf(at: number): number {
    if (at < this.#counted.at) this.#counted = { at: 0, line: 1 };
    const line = this.#counted.line + this.#sql.slice(this.#counted.at, at).split('\n').length - 1;
    this.#counted = { at, line };
    return line;
  }

  #add(start: number, end: number): void {
    const text = this.#sql.slice(start, end).trimEnd();
    this.#statements.push({ text, line: this.#lineOf(start) });
  }

  #finish(end: number): void {
    if (this.#start !== undefined) this.#add(this.#start, end);
    this.#start = undefined;
    this.#depth = 0;
    this.#previousWord = '';
  }
}
