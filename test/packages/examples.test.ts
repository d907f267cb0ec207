import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = readdirSync(join(root, 'examples'));
const typescript5 = join(root, 'node_modules/typescript5/lib/tsc.js');

/** The TypeScript files below a folder, without what is built. */
const sourcesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(folder, path));

/** As strict as the examples are compiled in each build, by TypeScript 7. */
const flags = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck'];
const decorators = '--experimentalDecorators';
const language = [
  '--target',
  'es2023',
  '--lib',
  'es2023',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--rewriteRelativeImportExtensions',
];

/** The next check looks only at what has changed. */
const incremental = ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules/.jig/examples.tsbuildinfo')];

it('the examples compile with TypeScript 5.9', { timeout: 120_000 }, async () => {
  const sources = sourcesBelow('examples').map((path) => join(root, path));
  expect(sources.length).toBeGreaterThan(10);
  const args = [typescript5, ...flags, decorators, ...language, ...incremental, ...sources];
  const { stdout } = await run(process.execPath, args).catch((error) => error);
  expect(stdout).toBe('');
});

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
