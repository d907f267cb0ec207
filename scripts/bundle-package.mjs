// Run in a package's folder: puts the package's own modules into few files, since opening many is what makes a start slow.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { keepClassNames } from './keep-class-names.mjs';
import { ownAddresses } from './own-addresses.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

const { exports, jig } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = [...Object.values(exports), jig?.addOn].filter(Boolean).map(({ source, default: target }) => ({
  in: source,
  out: target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
}));

const { metafile } = await build({
  entryPoints: entries,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  // Beside the entries, so that all have the same way to the files of the package.
  chunkNames: 'bundle-[hash]',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  packages: 'external',
  plugins: [ownAddresses('import.meta.url'), keepClassNames],
  logLevel: 'warning',
});
removeLeftovers(new Set(Object.keys(metafile.outputs)));
