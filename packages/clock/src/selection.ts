import { type SessionAttributes, SessionError } from '@jig/sessions';
import type { FastifyRequest } from 'fastify';
import type { Locales, SupportedLocale } from './locales.ts';
import type { Zone, Zones } from './zones.ts';

/** The selection of a request. If its session cannot be read, it is ignored. */
export async function requestSelection(request: FastifyRequest, locales: Locales, zones: Zones): Promise<Selection> {
  const stored = await request.session.entries().catch(ignoreUnavailableStore);
  return selectionOf(request, stored, locales, zones);
}

function ignoreUnavailableStore(error: unknown): undefined {
  if (!(error instanceof SessionError) || error.code !== 'JIG_SESSION_STORE_UNAVAILABLE') throw error;
}

/** @param stored the session attributes; undefined if the store is unavailable */
function selectionOf(
  { headers, url }: FastifyRequest,
  stored: SessionAttributes | undefined,
  locales: Locales,
  zones: Zones,
): Selection {
  const query = queryOf(url);
  const sources = {
    languageTag: query?.get('languageTag') ?? stored?.get('languageTag'),
    acceptLanguage: headers['accept-language'],
    zoneID: query?.get('zoneID') ?? stored?.get('zoneID'),
    browserZone: query?.get('browserZone') ?? readBrowserZone(headers.cookie),
  };
  return select(sources, stored !== undefined, locales, zones);
}

/** The query of a link such as `/clock/time?zoneID=Asia/Tokyo`, which shows a choice without storing it. */
function queryOf(url: string): URLSearchParams | undefined {
  const start = url.indexOf('?');
  return start === -1 ? undefined : new URLSearchParams(url.slice(start));
}

/** The cookie in which the page's script sends the browser's zone. */
const browserZoneCookie = 'clock-zone';

const browserZonePattern = new RegExp(`(?:^|;\\s*)${browserZoneCookie}=([\\w%+./:-]{1,60})\\s*(?:;|$)`);

export function readBrowserZone(cookies: string | undefined): string | undefined {
  const [, value] = (cookies && browserZonePattern.exec(cookies)) || [];
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** The locale and zone of a request; in each pair, the first takes precedence. */
interface SelectionSources {
  /** From the link or the session: any string. */
  readonly languageTag: string | undefined;
  readonly acceptLanguage: string | undefined;
  /** From the link or the session: any string. */
  readonly zoneID: string | undefined;
  /** From the page's script, by cookie or query. */
  readonly browserZone: string | undefined;
}

/** The effective locale and zone, and the chosen values that are unknown. */
export interface Selection {
  readonly locale: SupportedLocale;
  /** The tag to format with: that of `locale` with the extension of the chosen tag, such as `de-CH-u-hc-h12`. */
  readonly formatTag: string;
  readonly zone: Zone;
  readonly isZoneChosen: boolean;
  /** The zone of the browser, if known. */
  readonly browserZone: Zone | undefined;
  readonly unknownLocale: string | undefined;
  readonly unknownZone: string | undefined;
  /** Whether the stored values could be read. */
  readonly isStoreAvailable: boolean;
}

/** Selects locale and zone independently of each other. Never fails, whatever was chosen. */
export function select(
  sources: SelectionSources,
  isStoreAvailable: boolean,
  locales: Locales,
  zones: Zones,
): Selection {
  const { languageTag, acceptLanguage, zoneID } = sources;
  const chosenLocale = languageTag === undefined ? undefined : locales.parse(languageTag);
  const chosenZone = zoneID === undefined ? undefined : zones.find(zoneID);
  const browserZone = sources.browserZone === undefined ? undefined : zones.find(sources.browserZone);
  // As in Java, an unknown zone falls back to GMT, not to the default; an alert names it.
  const zone = chosenZone ?? (zoneID === undefined ? (browserZone ?? zones.default) : zones.gmt);
  const locale =
    chosenLocale?.locale ??
    (languageTag === undefined ? undefined : locales.nearest(languageTag)) ??
    locales.accepted(acceptLanguage);
  return {
    locale,
    formatTag: chosenLocale?.formatTag ?? locale.languageTag,
    zone,
    isZoneChosen: zoneID !== undefined,
    browserZone,
    unknownLocale: chosenLocale ? undefined : languageTag,
    unknownZone: chosenZone ? undefined : zoneID,
    isStoreAvailable,
  };
}
