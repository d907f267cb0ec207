// Bundles the modules of each package into few files, since on Node 20 opening hundreds doubles the time of a start.
// Dependencies are not bundled, except the private package. With --watch it bundles a package again when one of its sources changes.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, context } from 'esbuild';
import { entryPoints, packageFolders, root } from './prepare.mjs';

const renamedClass = /(\bvar (\w+)=class _\2\b[^{\n]*\{)/g;
/** esbuild renames a class that refers to itself; bean inspection shows the names of classes. */
const ownName = '$1static{Object.defineProperty(this,"name",{value:"$2"})}';

const privateFolder = join(root, 'packages', 'http');

/** The sources of packages, by what others import. */
const sourcesOf = (folders) =>
  Object.fromEntries(folders.flatMap(entryPoints).map(({ specifier, source }) => [specifier, source]));

const common = {
  outdir: 'dist',
  bundle: true,
  // Without white space there is a tenth less to install and to load. The source maps name files and lines as they were
  // written; with the texts of the sources in them, they would be half of each package.
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  alias: sourcesOf([privateFolder]),
  logLevel: 'warning',
  write: false,
  metafile: true,
};

function options(folder) {
  const bundled = entryPoints(folder).filter(({ entry }) => !entry.startsWith('run/'));
  return {
    ...common,
    absWorkingDir: folder,
    entryPoints: Object.fromEntries(bundled.map(({ source, entry }) => [entry, source])),
    splitting: true,
    // Beside the entry points, so that a relative URL means the same in all of them.
    chunkNames: 'bundle-[hash]',
    format: 'esm',
    // One file where there were two: each that a start has to open takes a millisecond.
    alias: {
      ...common.alias,
      '@jig/inspect': '@jig/inspect/internal',
      '@jig/inspect/internal': '@jig/inspect/internal',
      '@jig/inspect/secrets': '@jig/inspect/secrets',
      '@jig/inspect/basics': join(root, 'packages', 'inspect', 'src', 'basics.ts'),
    },
    plugins: [{ name: 'write', setup: ({ onEnd }) => onEnd((result) => writeOutput(folder, result)) }],
  };
}

async function writeOutput(folder, { outputFiles, metafile }) {
  // There are none when the bundling has failed.
  if (!outputFiles?.length) return;
  const declarations = ownDeclarations(folder);
  const files = [...outputFiles, ...declarations, ...(await commonJsFiles(folder, metafile, declarations))];
  for (const { path, text } of files)
    writeChanged(path, path.endsWith('.js') ? text.replace(renamedClass, ownName) : text);
  removeLeftovers(folder, new Set(files.map(({ path }) => path)));
}

/** Where a declaration names the private package, or its copy, if it was written by an earlier build. */
const privateImport = /(["'])(?:@jig\/http|(?:\.\.?\/)+jig-http)(?:\/([\w-]+)(?:\.js)?)?\1/g;

/** The declarations of a package. What they import from the private package is copied to `jig-http`, since it cannot be installed. */
function ownDeclarations(folder) {
  const dist = join(folder, 'dist');
  const isOwn = (name) => name.endsWith('.d.ts') && existsSync(join(folder, 'src', name.replace(/\.d\.ts$/, '.ts')));
  const imported = new Set();
  const own = readdirSync(dist, { recursive: true })
    .filter(isOwn)
    .map((name) => {
      const path = join(dist, name);
      const text = readFileSync(path, 'utf8').replace(privateImport, (_, quote, module = 'index') => {
        imported.add(module);
        const copy = relative(dirname(path), join(dist, 'jig-http', `${module}.js`));
        return `${quote}${copy.startsWith('.') ? copy : `./${copy}`}${quote}`;
      });
      return { path, text };
    });
  // A Set also visits what is added meanwhile.
  for (const module of imported) {
    const text = readFileSync(join(privateFolder, 'dist', `${module}.d.ts`), 'utf8');
    for (const [, other] of text.matchAll(/["']\.\/([\w-]+)\.[jt]s["']/g)) imported.add(other);
    own.push({ path: join(dist, 'jig-http', `${module}.d.ts`), text });
  }
  return own;
}

/**
 * The same as CommonJS, where the exports of a package have a condition `require`: one bundle, so that all entries share their
 * state, and a module for each name that gives its part. jest cannot require ES modules, and TypeScript reports TS1479.
 */
async function commonJsFiles(folder, metafile, declarations) {
  const names = entryPoints(folder).flatMap(({ entry, isCommonJs }) => (isCommonJs ? [entry] : []));
  if (names.length === 0) return [];
  const contents = names.map((name, index) => `export * as m${index} from './src/${name}.ts';`).join('\n');
  const { outputFiles } = await build({
    ...common,
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder, loader: 'ts', sourcefile: 'src/commonjs.ts' },
    outfile: 'dist/cjs/bundle.js',
    outdir: undefined,
    format: 'cjs',
    // jest refuses import() in the modules that it loads.
    supported: { 'dynamic-import': false },
    // As if it were in `dist`, where the files are that it names.
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__dirname).href;" },
    define: { 'import.meta.url': 'ownUrl' },
  });
  const dist = join(folder, 'dist');
  // Written out by name, since tools that read modules without running them find no others.
  const entries = names.map((name, index) => {
    const { exports } = metafile.outputs[`dist/${name}.js`];
    const exported = exports.map((each) => `exports.${each} = m${index}.${each};\n`);
    const begin = `const { m${index} } = require('./bundle.js');`;
    const mark = "Object.defineProperty(exports, '__esModule', { value: true });";
    return { path: join(dist, 'cjs', `${name}.js`), text: [begin, mark, ...exported].join('\n') };
  });
  const copies = declarations.map(({ path, text }) => ({ path: join(dist, 'cjs', relative(dist, path)), text }));
  const manifest = { path: join(dist, 'cjs', 'package.json'), text: '{ "type": "commonjs" }\n' };
  return [...outputFiles, ...entries, ...copies, manifest];
}

/** Removes what an earlier build has written and this one has not, since it would be published. */
function removeLeftovers(folder, written) {
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
    const path = join(folder, 'dist', file);
    const source = join(folder, 'src', file.replace(/\.d\.ts$/, '.ts'));
    // The state of the compiler, assets, which are built later, and declarations whose source exists.
    const isKept = /^(?:\.tsbuildinfo$|assets\b)/.test(file) || (file.endsWith('.d.ts') && existsSync(source));
    if (!isKept && !written.has(path) && !statSync(path).isDirectory()) rmSync(path);
  }
}

/** Leaves a file alone that would stay the same, since `npm run dev` restarts the service for any that is written. */
function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What runs inside of other people's applications is one file each, which needs no package to be found. */
async function bundleAgent() {
  const agent = {
    entryPoints: ['src/agent/agent.ts'],
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  };
  const entryPoints = ['src/run/run.ts', 'src/run/load-hook.ts', 'src/run/announced.ts'];
  const run = { entryPoints, outdir: 'dist/run', format: 'esm' };
  const folder = join(root, 'packages', 'console');
  const alone = { ...common, absWorkingDir: folder, packages: 'bundle', sourcemap: false };
  for (const each of [agent, run]) {
    const { outputFiles } = await build({ ...alone, alias: sourcesOf(packageFolders()), ...each });
    for (const { path, text } of outputFiles) writeChanged(path, text);
  }
}

const folders = packageFolders();
if (process.argv.includes('--watch')) for (const folder of folders) await (await context(options(folder))).watch();
else {
  await Promise.all(folders.map((folder) => build(options(folder))));
  await bundleAgent();
}
