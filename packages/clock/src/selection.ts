import { type Awaitable, type SessionAttributes, SessionError } from '@jig/sessions';
import { mapAwaitable } from '@jig/sessions/internal';
import type { FastifyRequest } from 'fastify';
import type { Locales } from './locales/locales.ts';
import type { SupportedLocale } from './locales/supported-locale.ts';
import type { Zone } from './zones/zone.ts';
import type { Zones } from './zones/zones.ts';

/** The selection of a request; if its session cannot be read, that of a request without one. */
export function requestSelection(request: FastifyRequest, locales: Locales, zones: Zones): Awaitable<Selection> {
  const stored = request.session.attributes();
  return mapAwaitable(stored instanceof Promise ? stored.catch(unlessUnavailable) : stored, (known) =>
    selectionOf(request, known, locales, zones),
  );
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof SessionError) || error.code !== 'JIG_SESSION_STORE_UNAVAILABLE') throw error;
}

/** @param stored the session attributes; undefined if the store is unavailable */
function selectionOf(
  { headers }: FastifyRequest,
  stored: SessionAttributes | undefined,
  locales: Locales,
  zones: Zones,
): Selection {
  const sources = {
    languageTag: stored?.get('languageTag'),
    acceptLanguage: headers['accept-language'],
    zoneID: stored?.get('zoneID'),
    browserZone: readBrowserZone(headers.cookie),
  };
  return select(sources, stored !== undefined, locales, zones);
}

/** The cookie in which the page's script tells the server the browser's own zone. */
const browserZoneCookie = 'clock-zone';

const pattern = new RegExp(`(?:^|;\\s*)${browserZoneCookie}=([\\w%+./:-]{1,60})\\s*(?:;|$)`);

export function readBrowserZone(cookies: string | undefined): string | undefined {
  const [, value] = (cookies && pattern.exec(cookies)) || [];
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** What a request says about locale and zone; in each pair, the first takes precedence. */
interface SelectionSources {
  /** From the session, which may hold any text. */
  readonly languageTag: string | undefined;
  readonly acceptLanguage: string | undefined;
  /** From the session as well. */
  readonly zoneID: string | undefined;
  /** From the cookie of the page's script. */
  readonly browserZone: string | undefined;
}

/** The effective locale and zone, and the stored values that are unknown. */
export interface Selection {
  readonly locale: SupportedLocale;
  readonly zone: Zone;
  readonly isZoneChosen: boolean;
  readonly unknownLocale: string | undefined;
  readonly unknownZone: string | undefined;
  /** Whether the stored values could be read. */
  readonly isStoreAvailable: boolean;
}

/** Locale and zone are selected independently of each other. No stored value makes this fail. */
export function select(
  sources: SelectionSources,
  isStoreAvailable: boolean,
  locales: Locales,
  zones: Zones,
): Selection {
  const { languageTag, acceptLanguage, zoneID, browserZone } = sources;
  const chosenLocale = languageTag === undefined ? undefined : locales.find(languageTag);
  const chosenZone = zoneID === undefined ? undefined : zones.find(zoneID);
  return {
    locale:
      chosenLocale ??
      (languageTag === undefined ? undefined : locales.nearest(languageTag)) ??
      locales.accepted(acceptLanguage),
    zone: chosenZone ?? (zoneID === undefined ? zoneOf(browserZone, zones) : zones.gmt),
    isZoneChosen: zoneID !== undefined,
    unknownLocale: chosenLocale ? undefined : languageTag,
    unknownZone: chosenZone ? undefined : zoneID,
    isStoreAvailable,
  };
}

const zoneOf = (browserZone: string | undefined, zones: Zones): Zone =>
  (browserZone === undefined ? undefined : zones.find(browserZone)) ?? zones.default;
