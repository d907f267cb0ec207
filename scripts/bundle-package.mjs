// Run in a package's folder: puts the package and what it depends on into few files, since opening hundreds is what makes a start slow.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).map(({ source, default: target }) => ({
  in: source,
  out: target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
}));

const { metafile } = await build({
  entryPoints: entries,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  mainFields: ['module', 'main'],
  // Never loaded here, and large.
  external: ['@jig/*', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'],
  // Packages written as CommonJS ask for Node's own modules by require.
  banner: {
    js: "import { createRequire as requireForBundle } from 'node:module';\nconst require = requireForBundle(import.meta.url);",
  },
  logLevel: 'warning',
});

/** The folders of the packages whose code went into the bundle. */
function bundledPackages() {
  const folders = Object.keys(metafile.inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Their licences ask to be passed on with the code. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

const separator = `\n${'-'.repeat(80)}\n\n`;
writeFileSync('dist/third-party-licences.txt', bundledPackages().map(licenceOf).join(separator));
