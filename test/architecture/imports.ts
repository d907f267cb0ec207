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

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path);
    return /(?<!\.test)\.(ts|mjs)$/.test(path) && path.includes(`${sep}src${sep}`) ? [path] : [];
  });
}

/** Every source that is shipped or run, tests left out. Strings that look like imports count too, which errs on the strict side. */
export const sourceFiles = (folders = ['packages', 'service', 'examples', 'bench']): readonly SourceFile[] =>
  folders.flatMap(filesBelow).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imports = [...text.matchAll(importPattern)].map(([, , specifier = '']) =>
      specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
    );
    return { path, workspace: workspaceOf(path), text, imports };
  });
