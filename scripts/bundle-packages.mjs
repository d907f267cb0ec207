// Bundles the modules of each package into few files, since on Node 20 opening hundreds doubles the time of a start.
// Dependencies are not bundled. With --watch it goes on and bundles a package again when one of its sources changes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build, context } from 'esbuild';
import { entryPoints, packageFolders } from './prepare.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

const renamedClass = /^( *var (\w+) = class _\2\b[^{\n]*\{)$/gm;

/** esbuild renames a class that refers to itself; bean inspection shows the names of classes. */
const withClassNames = (code) =>
  code.replace(renamedClass, '$1 static { Object.defineProperty(this, "name", { value: "$2" }); }');

function options(folder) {
  return {
    absWorkingDir: folder,
    entryPoints: entryPoints(folder).map(({ source, entry }) => ({ in: source, out: entry })),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    // Beside the entry points, so that a relative URL means the same in all of them.
    chunkNames: 'bundle-[hash]',
    sourcemap: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
    write: false,
    plugins: [{ name: 'write', setup: ({ onEnd }) => onEnd(({ outputFiles }) => writeOutput(folder, outputFiles)) }],
  };
}

function writeOutput(folder, outputFiles) {
  // There are none when the bundling has failed.
  if (!outputFiles?.length) return;
  for (const { path, text } of outputFiles) writeChanged(path, path.endsWith('.js') ? withClassNames(text) : text);
  removeLeftovers(folder, new Set(outputFiles.map(({ path }) => path)));
}

/** Leaves a file alone that would stay the same, since `npm run dev` restarts the service for any that is written. */
function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const folders = packageFolders();
if (process.argv.includes('--watch')) for (const folder of folders) await (await context(options(folder))).watch();
else await Promise.all(folders.map((folder) => build(options(folder))));
