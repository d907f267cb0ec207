import { type Loaded, withCapture } from './captured-line.ts';

// For Node before 22.15, which loads modules in a thread of its own.

let program: string | undefined;

export function initialize(data: { readonly program: string | undefined }): void {
  program = data.program;
}

export async function load(
  url: string,
  context: object,
  nextLoad: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const result = await nextLoad(url, context);
  // If a hook returns the source of CommonJS, Node loads it with a different loader.
  return result.format === 'module' ? withCapture(url, result, program) : result;
}
