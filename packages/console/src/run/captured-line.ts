import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnFile } from '../discovery/own-files.ts';

/** The property of `Function.prototype` by which modules of the application leave what shows their variables. */
export const captureKey = 'jig.capture';

/** What a load hook gets from the next one, as far as it matters here. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined;
}

const formats = new Set<unknown>(['module', 'commonjs', 'module-typescript', 'commonjs-typescript']);

/** A module with a line at its end, if it is one of the application: the function in it sees all variables, and is never called. */
export function withLine<Result extends Loaded>(url: string, result: Result, program: string | undefined): Result {
  const { format, source } = result;
  if (!formats.has(format) || source === null || source === undefined || !isOwnUrl(url, program)) return result;
  const text = typeof source === 'string' ? source : Buffer.from(source as ArrayBuffer).toString();
  return { ...result, source: text + lineFor(url) };
}

/**
 * At the end, so that lines, columns and source maps stay as they are. It reads alike in both kinds of modules, and names nothing that they
 * may have a variable for. Where the module before it is incomplete, the line of the error is the first or the last, which are short.
 */
const lineFor = (url: string) =>
  `\n;{\n(()=>{})["${captureKey}"]?.(${JSON.stringify(url)},(jig$)=>{"use strict";return eval(jig$)})\n}\n`;

/** The same for a file, where there are no hooks for CommonJS. */
export const withLineForFile = (file: string, source: string, program: string | undefined) =>
  isOwnFile(file, program) && !file.endsWith('.json') ? source + lineFor(pathToFileURL(file).href) : source;

function isOwnUrl(url: string, program: string | undefined): boolean {
  if (!url.startsWith('file:') || url.startsWith(ownFolder)) return false;
  try {
    return isOwnFile(fileURLToPath(url), program);
  } catch {
    return false;
  }
}

/** Where our own modules are. */
export const ownFolder = new URL('.', import.meta.url).href;
