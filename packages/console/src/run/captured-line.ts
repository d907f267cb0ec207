import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnFile } from '../discovery/own-files.ts';

/** The method of `Function.prototype` to which each module of the application passes a closure that shows its variables. */
export const captureKey = 'jig.capture';

/** The part of a load hook's result that is used here. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined;
}

const formats = new Set<unknown>(['module', 'commonjs', 'module-typescript', 'commonjs-typescript']);

/** Adds a line to the end of a module of the application: a closure that has all variables in scope, and is never called. */
export function withCapture<Result extends Loaded>(url: string, result: Result, program: string | undefined): Result {
  const { format, source } = result;
  if (!formats.has(format) || source === null || source === undefined || !isOwnUrl(url, program)) return result;
  const text = typeof source === 'string' ? source : Buffer.from(source as ArrayBuffer).toString();
  return { ...result, source: text + captureCode(url) };
}

/**
 * At the end, so that lines, columns and source maps stay correct. It works in CommonJS and ES modules, and uses no name that they may have
 * redefined. If the module is incomplete, its syntax error quotes the first or last line of this code, which are short.
 */
const captureCode = (url: string) =>
  `\n;{\n(()=>{})["${captureKey}"]?.(${JSON.stringify(url)},(jig$)=>{"use strict";return eval(jig$)})\n}\n`;

/** The same for a CommonJS file, in a Node without hooks for those. */
export const withCaptureInFile = (file: string, source: string, program: string | undefined) =>
  isOwnFile(file, program) && !file.endsWith('.json') ? source + captureCode(pathToFileURL(file).href) : source;

function isOwnUrl(url: string, program: string | undefined): boolean {
  if (!url.startsWith('file:') || url.startsWith(ownFolder)) return false;
  try {
    return isOwnFile(fileURLToPath(url), program);
  } catch {
    return false;
  }
}

/** The URL of Jig's own modules. */
export const ownFolder = new URL('.', import.meta.url).href;
