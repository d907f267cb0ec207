import type { ChunkSource } from '../src/chunks.ts';
import { type InspectionOptions, resolveOptions } from '../src/inspection-options.ts';
import { Document } from '../src/writer/document.ts';
import { PlainSource } from './plain-walk/plain-source.ts';

/** The writer keeps keys encoded from their second sighting on. */
const rounds = 4;

function all(source: ChunkSource): string {
  const chunks: Buffer[] = [];
  for (let chunk = source.next(); chunk !== undefined; chunk = source.next()) chunks.push(chunk);
  source.abandon();
  return Buffer.concat(chunks).toString();
}

export function plainly(value: unknown, options: InspectionOptions = {}): string {
  return all(new PlainSource(value, resolveOptions(options)));
}

export function written(value: unknown, options: InspectionOptions = {}): string {
  return all(new Document(value, resolveOptions(options)));
}

/** The documents of the plain walk and of the writer, which knows the keys in the later ones. */
export function everyWay(value: unknown, options: InspectionOptions = {}): string[] {
  const documents = [plainly(value, options)];
  for (let round = 0; round < rounds; round++) documents.push(written(value, options));
  return documents;
}
