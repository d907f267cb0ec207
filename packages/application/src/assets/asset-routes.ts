import type { FastifyPluginAsync } from 'fastify';
import { matchesEntityTag } from '../http/matches-entity-tag.ts';
import { appendHeader, preferredEncoding } from '../http/negotiation.ts';
import { pathOf } from '../http/path-of.ts';
import { Problem } from '../http/problem.ts';
import type { Asset } from './asset.ts';
import type { Assets } from './assets.ts';

/** Serves what was published, for good: a new version of a library has a new address. */
export function assetRoutes(assets: Assets): FastifyPluginAsync {
  return async (server) => {
    server.get(`${assets.path}*`, async (request, reply) => {
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
