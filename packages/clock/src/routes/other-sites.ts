import { Problem } from '@jig/application';
import { isCrossSite } from '@jig/application/internal';
import type { FastifyRequest } from 'fastify';

/** Another site must not choose for its visitors. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (isCrossSite(request)) {
    throw new Problem(403, { detail: 'This form can only be sent from the page itself.' });
  }
}
