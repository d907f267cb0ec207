import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = readdirSync(join(root, 'examples'));

/** The TypeScript files below a folder, without what is built. */
const sourcesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(folder, path));

describe('casts', () => {
  const cast = /\bas (?!const\b)[A-Z{(]/;

  it.each(examples)('are not in the example %s', (example) => {
    const lines = sourcesBelow(join('examples', example)).flatMap((path) =>
      readFileSync(join(root, path), 'utf8').split('\n'),
    );
    const code = lines.map((line) => line.replace(/'[^']*'|`[^`]*`|\/\*\*.*|^ *\*.*|\/\/.*/g, ''));
    expect(code.filter((line) => cast.test(line))).toEqual([]);
  });

  it('of beans are nowhere in the packages and the service', () => {
    const sources = ['packages', 'service'].flatMap(sourcesBelow).filter((path) => !path.endsWith('.test.ts'));
    const casts = sources.filter((path) =>
      /\b(?:beans|registry)\s*(?:\.(?:get|peek|resolve)\(|\[)[^;]*?\)?\s+as\s/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    );
    expect(casts).toEqual([]);
  });
});
