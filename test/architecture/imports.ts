import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  /** The workspace it belongs to: `packages/clock`, `service`, … */
  readonly workspace: string;
  readonly text: string;
  /** What it imports: a path from the root for a relative import, else the specifier. */
  readonly imports: readonly string[];
}

const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"]+)\1/g;

function workspaceOf(path: string): string {
  const parts = path.split(sep);
  return ['packages', 'examples'].includes(parts[0] ?? '') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** Whether a path is a source of ours: TypeScript, or the JavaScript of the bench's servers. */
export const isSource = (path: string) => /\.(ts|mjs)$/.test(path);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path);
    return isSource(path) ? [path] : [];
  });
}

/** Imports as text: strings and comments that look like imports count too, which errs on the strict side. */
export function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(importPattern)].map(([, , specifier = '']) =>
    specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
  );
}

/** Every source of the repository that is shipped or run, tests left out. */
export function sourceFiles(folders = ['packages', 'service', 'examples', 'bench']): readonly SourceFile[] {
  return allFiles(folders).filter(({ path }) => path.includes(`${sep}src${sep}`) && !path.endsWith('.test.ts'));
}

/** Every file of TypeScript and JavaScript, also of pages and of tests. */
export function allFiles(
  folders = ['packages', 'service', 'examples', 'bench', 'scripts', 'test'],
): readonly SourceFile[] {
  return folders.flatMap(filesBelow).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, workspace: workspaceOf(path), text, imports: importsOf(path, text) };
  });
}
