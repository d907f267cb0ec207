// Run in the folder of @jig/application: puts the host and what it depends on into one file, since opening hundreds is what makes a
// start slow. It is CommonJS because that is what V8 can run from a code cache on every Node; `dist/index.js` makes an ES module of it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { build } from 'esbuild';
import { keepClassNames } from './keep-class-names.mjs';
import { ownAddresses } from './own-addresses.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

const shared = {
  outdir: 'dist',
  bundle: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  platform: 'node',
  target: 'node20.19',
  conditions: ['source'],
  mainFields: ['module', 'main'],
  logLevel: 'warning',
};

/** Seldom loaded, if ever, and large: found in node_modules when their time comes. */
const seldom = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'jsonc-parser',
  'light-my-request',
  'pino-pretty',
  'thread-stream',
];

/** What V8 takes from its code cache cannot `import()`, so that the entry does it for the bundle. */
const importsByEntry = {
  name: 'imports-by-entry',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/import-module\.ts$/ }, () => ({
      contents: 'export const importModule = importFromEntry;',
      loader: 'ts',
    }));
  },
};

const { metafile } = await build({
  ...shared,
  entryPoints: [{ in: './src/index.ts', out: 'bundle' }],
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  external: seldom,
  plugins: [importsByEntry, ownAddresses('bundleAddress'), keepClassNames],
  banner: { js: "const bundleAddress = require('node:url').pathToFileURL(__filename).href;" },
});
const bundle = basename(Object.keys(metafile.outputs).find((path) => path.endsWith('.cjs')));

/** An ES module that runs the bundle, from V8's code cache where there is one for this version of Node, and exports what it exports. */
function entryModule(names) {
  return `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const filename = fileURLToPath(new URL('./${bundle}', import.meta.url));

function codeCache() {
  try {
    return readFileSync(\`\${filename}.cache\`);
  } catch {
    return undefined;
  }
}

const script = new Script(
  \`(function (exports, require, module, __filename, __dirname, importFromEntry) {\${readFileSync(filename, 'utf8')}\\n})\`,
  { filename, cachedData: codeCache() },
);
// Who makes the code cache asks for the scripts here.
globalThis[Symbol.for('jig.bundles')]?.push({ filename, script });

const module = { exports: {} };
const run = script.runInThisContext();
run(module.exports, createRequire(filename), module, filename, dirname(filename), (specifier) => import(specifier));

export const {
  ${names.join(',\n  ')},
} = module.exports;
`;
}

/** The other entries are for tests, and stay ES modules of their own. */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const { '.': main, ...others } = exports;
const { metafile: names } = await build({
  ...shared,
  entryPoints: [main.source],
  format: 'esm',
  write: false,
  packages: 'external',
});
writeFileSync(main.default, entryModule(Object.values(names.outputs).find(({ entryPoint }) => entryPoint).exports));
const { metafile: suites } = await build({
  ...shared,
  entryPoints: Object.values(others).map(({ source, default: target }) => ({
    in: source,
    out: target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
  })),
  format: 'esm',
  packages: 'external',
});

/** The folders of the packages whose code went into the bundle, and of the one that a table in it was made from. */
function bundledPackages() {
  const folders = Object.keys(metafile.inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const dataFrom = join('..', '..', 'node_modules', 'cldr-core');
  return [...new Set([...folders.filter((folder) => folder !== undefined), dataFrom])].sort();
}

/** Their licences ask to be passed on with the code. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

const separator = `\n${'-'.repeat(80)}\n\n`;
const licences = 'dist/third-party-licences.txt';
writeFileSync(licences, bundledPackages().map(licenceOf).join(separator));

const bundles = [metafile, suites].flatMap(({ outputs }) => Object.keys(outputs));
removeLeftovers(new Set([...bundles, normalize(main.default), licences]));
