// Bundles the modules of each package into few files, since on Node 20 opening hundreds doubles the time of a start.
// Dependencies are not bundled. With --watch it goes on and bundles a package again when one of its sources changes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, context } from 'esbuild';
import { root } from './prepare.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

/** The modules that others load: `dist/add-on.js` is built from `src/add-on.ts`. */
function entryPoints(folder) {
  const { exports, jig } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = [...Object.values(exports).map((target) => target.default), jig?.addOn, jig?.command];
  return files
    .map((file) => /^\.\/dist\/(.*)\.js$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .map((name) => ({ in: `./src/${name}.ts`, out: name }));
}

const renamedClass = /^( *var (\w+) = class _\2\b[^{\n]*\{)$/gm;

/** esbuild renames a class that refers to itself; bean inspection shows the names of classes. */
const withClassNames = (code) =>
  code.replace(renamedClass, '$1 static { Object.defineProperty(this, "name", { value: "$2" }); }');

function options(folder) {
  return {
    absWorkingDir: folder,
    entryPoints: entryPoints(folder),
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
    // One file where there were two: each that a start has to open takes a millisecond.
    alias: { '@jig/inspect': '@jig/inspect/internal', '@jig/inspect/internal': '@jig/inspect/internal' },
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

const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
if (process.argv.includes('--watch')) for (const folder of folders) await (await context(options(folder))).watch();
else await Promise.all(folders.map((folder) => build(options(folder))));
