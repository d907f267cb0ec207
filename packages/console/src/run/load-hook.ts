import { type Loaded, withLine } from './captured-line.ts';

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
  // With a source, CommonJS would be loaded in another way.
  return result.format === 'module' ? withLine(url, result, program) : result;
}
