import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { appendHeader, matchesEntityTag, pathOf, preferredEncoding } from '@jig/http';
import { Problem } from '@jig/http/problem';
import type { FastifyPluginAsync } from 'fastify';
import { hostError } from '../errors.ts';
import { problemResponse } from '../http/api-operation.ts';
import { installedPackage } from '../installed-package.ts';
import { Asset } from './asset.ts';

/** Files of one library, served under a path that holds the library's version. */
export interface PublishedLibrary {
  readonly library: string;
  readonly version: string;
  /** File names to where they lie. */
  readonly files: Readonly<Record<string, URL>>;
}

/** What is published of one library, as the bean `assets` shows it. */
export interface LibraryDescription {
  readonly library: string;
  readonly version: string;
  readonly files: readonly AssetDescription[];
}

export interface AssetDescription {
  readonly url: string;
  readonly type: string;
  /** The bytes of each form that was asked for, by its encoding. */
  readonly kept: ReadonlyMap<string, number>;
}

// Characters that need no escaping, so that each address has one spelling only; no segments of dots.
const segment = /^(?!\.+$)[\w@+.-]+$/;

/** The files that pages link to. Whole addresses are looked up in the list of published files, so that no path can leave a folder. */
export class Assets {
  readonly path = '/assets/';
  readonly #assets = new Map<string, Asset>();
  readonly #libraries = new Map<string, { version: string; urls: Map<string, string> }>();

  publish({ library, version, files }: PublishedLibrary): void {
    const known = this.#libraries.get(library);
    if (known !== undefined && known.version !== version) {
      throw unpublishable(library, `is published in version ${known.version} already, and cannot be in ${version} too`);
    }
    const urls = known?.urls ?? new Map<string, string>();
    for (const [file, source] of Object.entries(files)) {
      if (urls.has(file)) throw unpublishable(library, `has the file ${file} twice`);
      const url = this.#address(library, version, file);
      if (!existsSync(source)) throw unpublishable(library, `has no file ${file} where it should be`);
      urls.set(file, url);
      this.#assets.set(url, new Asset(url, source));
    }
    this.#libraries.set(library, { version, urls });
  }

  /** The address to link to. */
  url(library: string, file: string): string {
    const url = this.#libraries.get(library)?.urls.get(file);
    if (url !== undefined) return url;
    const sentence = `Nobody published an asset ${JSON.stringify(file)} of ${JSON.stringify(library)}; publish it, or correct its name.`;
    throw hostError('JIG_ASSET_UNKNOWN', sentence, { fields: { library, file } });
  }

  /** The asset at exactly this path, as it came over the wire. */
  find(path: string): Asset | undefined {
    return this.#assets.get(path);
  }

  get libraries(): LibraryDescription[] {
    return [...this.#libraries].map(([library, { version, urls }]) => ({
      library,
      version,
      files: [...urls.values()].flatMap((url) => {
        const asset = this.find(url);
        return asset === undefined ? [] : [{ url, type: asset.type, kept: asset.kept }];
      }),
    }));
  }

  #address(library: string, version: string, file: string): string {
    const segments = [library, version, ...file.split('/')];
    if (!segments.every((part) => segment.test(part))) {
      throw unpublishable(library, `has a name that is not fit for an address: ${segments.join('/')}`);
    }
    return this.path + segments.join('/');
  }
}

function unpublishable(library: string, problem: string): Error {
  return hostError('JIG_ASSET_UNPUBLISHABLE', `The library ${library} ${problem}.`, { fields: { library } });
}

/**
 * An npm package to publish, in the version that is installed for the module at `from` (its `import.meta.url`).
 * `files` are the published names with their paths inside the package.
 */
export function installedLibrary(
  library: string,
  from: string,
  files: Readonly<Record<string, string>>,
): PublishedLibrary {
  const folder = installedPackage(library, fileURLToPath(from));
  if (folder === undefined) {
    throw hostError(
      'JIG_ASSET_UNPUBLISHABLE',
      `The library ${library} is not installed; npm install ${library} does it.`,
      {
        fields: { library },
      },
    );
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const base = pathToFileURL(`${folder}/`);
  return {
    library,
    version,
    files: Object.fromEntries(Object.entries(files).map(([name, path]) => [name, new URL(path, base)])),
  };
}

/** Serves what was published, cacheable forever: a new version of a library has a new address. */
export function assetRoutes(assets: Assets): FastifyPluginAsync {
  return async (server) => {
    server.get(`${assets.path}*`, { schema: assetSchema(assets.path) }, async (request, reply) => {
      const asset = findAsset(assets, request.url);
      if (asset === undefined) return reply.callNotFound();

      appendHeader(reply, 'vary', 'accept-encoding');
      const encoding = preferredEncoding(request.headers['accept-encoding'], asset.encodings);
      if (encoding === undefined) throw new Problem(406);
      const { body, etag } = await asset.representation(encoding);

      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', etag });
      if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.type(asset.type).send(body);
    });
  };
}

/** Takes the address as it came, undecoded, so that no spelling but the published one leads anywhere. */
function findAsset(assets: Assets, url: string): Asset | undefined {
  return assets.find(pathOf(url));
}

const header = (name: string, description: string) => ({ name, in: 'header', description, schema: { type: 'string' } });

const assetSchema = (folder: string) => ({
  path: `${folder}{library}/{version}/{file}`,
  operationId: 'asset',
  summary: 'A file that pages link to.',
  parameters: [
    ...['library', 'version', 'file'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
    })),
    header('Accept-Encoding', 'br, gzip or identity.'),
    header('If-None-Match', 'Entity tags that you have.'),
  ],
  responses: {
    200: {
      description: 'The file, to be kept for good.',
      headers: { ETag: { required: true, schema: { type: 'string' } } },
      content: { '*/*': { schema: { type: 'string' } } },
    },
    304: { description: 'You have it already.' },
    404: problemResponse('There is no such file.'),
    406: problemResponse('It is not to be had in a coding that you accept.'),
  },
});
