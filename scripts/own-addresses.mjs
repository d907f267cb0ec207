import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/**
 * For esbuild, in a package's folder: lets a module find files beside it as if it still stood where TypeScript would have put it.
 * `bundleAddress` is what gives the address of the bundle, in the code of the bundle.
 */
export const ownAddresses = (bundleAddress) => ({
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const place = relative('src', path).replace(/\.ts$/, '.js');
      const contents = await readFile(path, 'utf8');
      const address = `new URL(${JSON.stringify(`./${place}`)}, ${bundleAddress}).href`;
      return { contents: contents.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
});
