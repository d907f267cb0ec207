import { type Awaitable, type SessionAttributes, SessionError } from '@jig/sessions';
import { mapAwaitable } from '@jig/sessions/internal';
import type { FastifyRequest } from 'fastify';
import type { Locales } from '../locales/locales.ts';
import type { Zones } from '../zones/zones.ts';
import { readBrowserZone } from './browser-zone.ts';
import { type Selection, select } from './selection.ts';

/** What a request selects; when its session cannot be read, what it would select without one. */
export function requestSelection(request: FastifyRequest, locales: Locales, zones: Zones): Awaitable<Selection> {
  const stored = request.session.attributes();
  return mapAwaitable(stored instanceof Promise ? stored.catch(unlessUnavailable) : stored, (known) =>
    selectionOf(request, known, locales, zones),
  );
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof SessionError) || error.code !== 'JIG_SESSION_STORE_UNAVAILABLE') throw error;
}

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
