import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser says that a page of another site sent this request. It says the site only over HTTPS or to its own
 * machine, and knows it best, also behind a proxy that changes the host; else the origin tells. Other clients say neither.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== request.host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase();
}
