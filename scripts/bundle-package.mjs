// Run in a package's folder: puts the package and what it depends on into few files, since opening hundreds is what makes a start slow.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).map(({ source, default: target }) => ({
  in: source,
  out: target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
}));

await build({
  entryPoints: entries,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'linked',
  sourcesContent: false,
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
