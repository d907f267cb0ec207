import { readFile } from 'node:fs/promises';
import Module from 'node:module';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import type { CodeLocation } from '@jig/inspect/internal';
import { isOwnFile, packageOf } from './own-files.ts';
import type { Slices } from './slices.ts';

/** The URL of each module of the application, and a closure inside it, whose scopes hold its variables. */
export type CapturedModules = Iterable<readonly [url: string, closure: object]>;

const maxFiles = 3000;
const longestFile = 2 * 1024 * 1024;
/** Shorter functions may be at the same position in several files. */
const shortestCode = 6;
/** How many characters of a function are compared. */
const comparedLength = 400;
/** How many functions of a script are searched for before the script is treated as foreign. */
const maxTries = 4;

/**
 * Finds the file of the application that contains a function. The inspector knows only the id of its script, and asking for the URLs of all
 * scripts blocks the process for up to a quarter of a second. So the function's source is compared with the files of the application, at its
 * line and column.
 */
export class ApplicationFiles {
  readonly #root: string;
  readonly #main: string;
  readonly #program: string | undefined;
  readonly #fileOfScript = new Map<string, string | undefined>();
  readonly #tries = new Map<string, number>();
  readonly #texts = new Map<string, SourceText>();
  readonly #changed = new Set<string>();
  /** Files of ES modules that are loaded. */
  readonly #added = new Set<string>();

  constructor(root: string, main: string) {
    this.#root = root;
    this.#main = main;
    this.#program = packageOf(main);
  }

  /** Whether a file is one of the application: not of `node_modules`, unless it was started from there. */
  isOwn(file: string): boolean {
    return isOwnFile(file, this.#program);
  }

  /** The CommonJS modules of the application. */
  *loaded(): Generator<readonly [file: string, exports: unknown]> {
    for (const [file, module] of Object.entries(cachedModules()))
      if (this.isOwn(file) && extname(file) !== '.json' && !types.isProxy(module))
        yield [file, Object.getOwnPropertyDescriptor(module, 'exports')?.value];
  }

  /** Records the known file of a script. */
  setFileOfScript(scriptId: string, file: string): void {
    this.#fileOfScript.set(scriptId, this.isOwn(file) ? file : undefined);
  }

  /** Records that the application has loaded a file. */
  addLoaded(file: string): void {
    this.#added.add(file);
  }

  /** Reads the files of the application that are loaded, for `fileOf` and `isChanged`. */
  async read(slices: Slices): Promise<void> {
    const loaded = Array.from(this.loaded(), ([file]) => file);
    for (const file of new Set([...loaded, this.#main, ...this.#added])) {
      if (!this.isOwn(file) || this.#texts.has(file) || this.#texts.size >= maxFiles) continue;
      const read = await readFile(file, 'utf8').catch(() => '');
      const source = read.length > longestFile ? '' : read;
      this.#texts.set(file, new SourceText(source));
      for (const name of changedNames(source)) this.#changed.add(name);
      await slices.pause();
    }
  }

  /** Whether the application seems to change a variable or property of this name. */
  isChanged(name: string): boolean {
    return this.#changed.has(name);
  }

  /**
   * The file of the application in which a function was written; undefined for all other functions.
   * @param likely the file through which it was reached, which wins if several contain the same text
   */
  fileOf(code: object, location: CodeLocation, likely?: string): string | undefined {
    const { scriptId } = location;
    const text = Function.prototype.toString.call(code);
    if (this.#fileOfScript.has(scriptId) || text.length < shortestCode) return this.#fileOfScript.get(scriptId);
    const beginnings = beginningsOf(text);
    const isIn = (file: string) => this.#texts.get(file)?.has(beginnings, location) === true;
    const files = likely !== undefined && isIn(likely) ? [likely] : [...this.#texts.keys()].filter(isIn);
    // Compilers write the same helpers at the same position of many files.
    const file = files.length === 1 ? files[0] : undefined;
    const tries = (this.#tries.get(scriptId) ?? 0) + 1;
    this.#tries.set(scriptId, tries);
    if (file !== undefined || tries >= maxTries) this.#fileOfScript.set(scriptId, file);
    return file;
  }

  /** The path of a file as it is displayed. */
  shown(file: string): string {
    const [, inPackage] = /.*[\\/]node_modules[\\/](.*)$/s.exec(file) ?? [];
    const path = inPackage ?? (file.startsWith(this.#root + sep) ? file.slice(this.#root.length + 1) : file);
    return path.replaceAll(sep, '/');
  }
}

/** All modules of CommonJS, by file. */
export const cachedModules = (): Readonly<Record<string, object>> =>
  (Module as unknown as { readonly _cache: Readonly<Record<string, object>> })._cache;

export const fileOfUrl = (url: string) => (url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*/s, '')) : url);

/** A file of code, by lines. */
class SourceText {
  readonly text: string;
  readonly #lines: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#lines = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  /** Whether a function is at a location, by one of its beginnings. */
  has(beginnings: readonly string[], { lineNumber, columnNumber }: CodeLocation): boolean {
    const start = this.#lines[lineNumber];
    return start !== undefined && beginnings.some((each) => isSameCode(each, this.text, start + columnNumber));
  }
}

/** V8 locates a function at its text, at its parameters, or at those of its constructor. */
function beginningsOf(code: string): readonly string[] {
  const starts = [0, code.indexOf('('), code.search(/(?<=\bconstructor\s{0,9})\(/)];
  return starts.filter((start) => start >= 0).map((start) => code.slice(start, start + comparedLength));
}

/** Node replaces types of TypeScript by spaces, so a space matches anything. */
function isSameCode(code: string, text: string, place: number): boolean {
  if (code.length < shortestCode / 2 || place + code.length > text.length) return false;
  for (let index = 0; index < code.length; index++)
    if (code[index] !== ' ' && code[index] !== text[place + index]) return false;
  return true;
}

/** A call that changes a collection, an assignment to an entry or a property, a deletion, an assignment that is no declaration. */
const changes = [
  /(?<![\w$])([A-Za-z_$][\w$]*)\s*\??\.\s*(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\s*\(/g,
  /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:\[[^\]\n]{0,80}\]|\.[\w$]+)\s*(?:[-+*/%&|^?]{0,2}=(?![=>])|\+\+|--)/g,
  /\bdelete\s+([A-Za-z_$][\w$]*)/g,
  /(?<!\b(?:const|let|var)\s+|[.\w$])([A-Za-z_$][\w$]*)\s*(?:[-+*/%&|^?]{0,2}=(?![=>])|\+\+|--)/g,
];

/** The names of variables and properties that a module seems to change. Changes under another name are not noticed. */
export const changedNames = (text: string): ReadonlySet<string> =>
  new Set(changes.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name)));
