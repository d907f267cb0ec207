// Run in a package's folder: puts the package into few files, since opening hundreds is what makes a start slow.
// With --with-dependencies, what it depends on goes in too.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const withDependencies = process.argv.includes('--with-dependencies');
const { exports, jig } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = [...Object.values(exports), jig?.addOn].filter(Boolean).map(({ source, default: target }) => ({
  in: source,
  out: target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
}));

/** Lets a module find files beside it as if it still stood where TypeScript would have put it. */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const place = relative('src', path).replace(/\.ts$/, '.js');
      const contents = await readFile(path, 'utf8');
      const address = `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`;
      return { contents: contents.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

// Chunks are named for what they hold: those of earlier builds would stay.
const earlier = existsSync('dist') ? readdirSync('dist').filter((file) => file.startsWith('chunk-')) : [];
for (const file of earlier) rmSync(join('dist', file));

const { metafile } = await build({
  entryPoints: entries,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  // Beside the entries, so that all have the same way to the files of the package.
  chunkNames: 'chunk-[hash]',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  mainFields: ['module', 'main'],
  plugins: [ownAddresses],
  packages: withDependencies ? 'bundle' : 'external',
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
if (withDependencies) {
  writeFileSync('dist/third-party-licences.txt', bundledPackages().map(licenceOf).join(separator));
}
