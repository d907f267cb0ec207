import type { ChunkSource } from '../src/chunks.ts';
import { CompiledSource } from '../src/compiled/compiled-source.ts';
import { type InspectionOptions, resolveOptions } from '../src/inspection-options.ts';
import { PlainSource } from '../src/plain-source.ts';

/** Code is compiled for a shape once it has been seen a few times. */
const untilCompiled = 4;

function all(source: ChunkSource): string {
  const chunks: Buffer[] = [];
  for (let chunk = source.next(); chunk !== undefined; chunk = source.next()) chunks.push(chunk);
  source.abandon();
  return Buffer.concat(chunks).toString();
}

export function plainly(value: unknown, options: InspectionOptions = {}): string {
  return all(new PlainSource(value, resolveOptions(options)));
}

export function compiled(value: unknown, options: InspectionOptions = {}): string {
  return all(new CompiledSource(value, resolveOptions(options)));
}

/** The documents of every way, before and after code has been compiled for the shapes in the value. */
export function everyWay(value: unknown, options: InspectionOptions = {}): string[] {
  const documents = [plainly(value, options)];
  for (let round = 0; round < untilCompiled; round++) documents.push(compiled(value, options));
  return documents;
}
