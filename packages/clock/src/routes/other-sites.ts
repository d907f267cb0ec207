import { Problem } from '@jig/application';
import type { FastifyRequest } from 'fastify';

/** Another site must not choose for its visitors; browsers say where a form comes from, and other clients need not. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (isFromOtherSite(request)) {
    throw new Problem(403, { detail: 'This form can only be sent from the page itself.' });
  }
}

/** Browsers say the site only over HTTPS or to their own machine, and the origin always. */
function isFromOtherSite(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== request.host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase();
}
