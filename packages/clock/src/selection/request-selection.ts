import { JigError, type SessionAttributes } from '@jig/application';
import type { FastifyRequest } from 'fastify';
import type { Locales } from '../locales/locales.ts';
import type { Zones } from '../zones/zones.ts';
import { readBrowserZone } from './browser-zone.ts';
import { type Selection, select } from './selection.ts';

/** What a request selects; when its session cannot be read, what it would select without one. */
export async function requestSelection(request: FastifyRequest, locales: Locales, zones: Zones): Promise<Selection> {
  try {
    return selectionOf(request, await request.session.attributes(), locales, zones);
  } catch (error) {
    if (!(error instanceof JigError) || error.code !== 'JIG_SESSION_STORE_UNAVAILABLE') throw error;
    return selectionOf(request, undefined, locales, zones);
  }
}

/** As `requestSelection`, at once, for a request that can have no session. */
export const selectionWithoutSession = (request: FastifyRequest, locales: Locales, zones: Zones): Selection =>
  selectionOf(request, nothingStored, locales, zones);

const nothingStored: SessionAttributes = new Map();

/** @param stored what the session holds, unless its store is down */
function selectionOf(
  { headers }: FastifyRequest,
  stored: SessionAttributes | undefined,
  locales: Locales,
  zones: Zones,
): Selection {
  const wishes = {
    languageTag: stored?.get('languageTag'),
    acceptLanguage: headers['accept-language'],
    zoneID: stored?.get('zoneID'),
    browserZone: readBrowserZone(headers.cookie),
  };
  return select(wishes, stored !== undefined, locales, zones);
}
