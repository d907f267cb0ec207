import { JigError, type SessionAttributes } from '@jig/application';
import type { FastifyRequest } from 'fastify';
import type { Locales } from '../locales/locales.ts';
import type { Zones } from '../zones/zones.ts';
import { readBrowserZone } from './browser-zone.ts';
import { type Selection, select } from './selection.ts';

const nothingStored: SessionAttributes = new Map();

/** What a request selects; when its session cannot be read, what it would select without one. */
export async function requestSelection(
  request: FastifyRequest,
  locales: Locales,
  zones: Zones,
): Promise<Selection & { readonly isStoreAvailable: boolean }> {
  const attributes = await storedAttributes(request);
  const { cookie, 'accept-language': acceptLanguage } = request.headers;
  const stored = attributes ?? nothingStored;
  const wishes = {
    languageTag: stored.get('languageTag'),
    acceptLanguage,
    zoneID: stored.get('zoneID'),
    browserZone: readBrowserZone(cookie),
  };
  return { ...select(wishes, locales, zones), isStoreAvailable: attributes !== undefined };
}

async function storedAttributes({ session }: FastifyRequest): Promise<SessionAttributes | undefined> {
  try {
    return await session.attributes();
  } catch (error) {
    if (error instanceof JigError && error.code === 'JIG_SESSION_STORE_UNAVAILABLE') return undefined;
    throw error;
  }
}
