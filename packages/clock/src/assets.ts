import { createReadStream, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { appendHeader, preferredEncoding } from '@jig/http';
import type { FastifyInstance } from 'fastify';
import { packageFolder } from './package-folder.ts';

/** The addresses of what the page loads, written by `scripts/build-assets.ts`. Each contains a hash of its content. */
export interface PageAssets {
  readonly stylesheet: string;
  readonly bootstrap: string;
  readonly jquery: string;
  /** The module that searches the lists, loaded on demand, and its data. */
  readonly search: string;
  readonly searchData: string;
}

const folder = new URL('dist/assets/', packageFolder);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

export const readAssets = (): PageAssets => JSON.parse(read('assets.json')) as PageAssets;

/** The inline script of the page. */
export const readInlineScript = (): string => read('inline.js');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
};
const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const;

/** Serves these assets, which the build has compressed. Browsers may cache them forever. */
export function addAssets(server: FastifyInstance, assets: PageAssets): void {
  for (const address of Object.values(assets)) {
    const file = address.slice(address.lastIndexOf('/') + 1);
    server.get(address, { schema: { hide: true } }, async ({ headers }, reply) => {
      const encoding = preferredEncoding(headers['accept-encoding'], ['br', 'gzip']) ?? 'identity';
      appendHeader(reply, 'vary', 'accept-encoding');
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(types[extname(file)] ?? '');
      return reply.send(createReadStream(new URL(file + suffixes[encoding], folder)));
    });
  }
}
