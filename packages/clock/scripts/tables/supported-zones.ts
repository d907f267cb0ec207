import { icuOffsets } from '../../src/zones/zone-rules.ts';
import { branch, leaf, readSupplemental } from './cldr.ts';

/** What CLDR lists beside the tz database's identifiers, and Java leaves out. */
const notSupported = new Set([
  'Canada/East-Saskatchewan',
  'Etc/Unknown',
  'Factory',
  'GMT+0',
  'GMT-0',
  'ROC',
  'US/Pacific-New',
]);

/** Names that Java knows and the tz database does not, with the zone that each one means. */
const beyondTheDatabase: Readonly<Record<string, string>> = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Argentina/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Harare',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Addis_Ababa',
  ECT: 'Europe/Paris',
  IET: 'America/Indiana/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Ho_Chi_Minh',
  'SystemV/AST4': 'America/Puerto_Rico',
  'SystemV/AST4ADT': 'America/Halifax',
  'SystemV/CST6': 'America/Regina',
  'SystemV/CST6CDT': 'America/Chicago',
  'SystemV/EST5': 'America/Panama',
  'SystemV/EST5EDT': 'America/New_York',
  'SystemV/HST10': 'Pacific/Honolulu',
  'SystemV/MST7': 'America/Phoenix',
  'SystemV/MST7MDT': 'America/Denver',
  'SystemV/PST8': 'Pacific/Pitcairn',
  'SystemV/PST8PDT': 'America/Los_Angeles',
  'SystemV/YST9': 'Pacific/Gambier',
  'SystemV/YST9YDT': 'America/Anchorage',
};

/** Where the tz database's "negative" daylight time makes a year's extremes lie about the raw offset. */
const knownOffsets: Readonly<Record<string, ZoneOffsets>> = {
  'Africa/Casablanca': { raw: 0, daylight: 0 },
  'Africa/El_Aaiun': { raw: 0, daylight: 0 },
  'Africa/Windhoek': { raw: 60, daylight: 0 },
};

/** A fixed year, so that the tables do not change by themselves. */
const sampledYear = 2026;

interface ZoneOffsets {
  /** Minutes ahead of UTC in standard time. */
  readonly raw: number;
  /** Minutes that daylight time adds. */
  readonly daylight: number;
}

export interface SupportedZone extends ZoneOffsets {
  readonly id: string;
  /** The identifier under which CLDR keeps the zone's names. */
  readonly cldrId: string;
  /** The identifier that every `Intl` understands, where it is not the zone's own. */
  readonly formatAs?: string;
}

/** All zones, sorted by code unit of their identifiers. */
export function supportedZones(): SupportedZone[] {
  const cldrIds = new Map<string, string>();
  const keywords = branch(readSupplemental('cldr-bcp47/bcp47/timezone.json'), 'keyword', 'u', 'tz');
  for (const key of Object.keys(keywords)) {
    const aliases = leaf(keywords, key, '_alias')?.split(' ') ?? [];
    for (const alias of aliases) cldrIds.set(alias, aliases[0] ?? alias);
  }
  const zones: SupportedZone[] = [];
  for (const [id, cldrId] of cldrIds) {
    if (!notSupported.has(id)) zones.push({ id, cldrId, ...offsetsOf(id) });
  }
  for (const [id, formatAs] of Object.entries(beyondTheDatabase)) {
    zones.push({ id, cldrId: cldrIds.get(formatAs) ?? formatAs, formatAs, ...offsetsOf(formatAs) });
  }
  return zones.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function offsetsOf(id: string): ZoneOffsets {
  const known = knownOffsets[id];
  if (known) return known;
  const offsets = icuOffsets(
    id,
    Array.from({ length: 12 }, (_, month) => Date.UTC(sampledYear, month, 1)),
  );
  const raw = Math.min(...offsets);
  return { raw, daylight: Math.max(...offsets) - raw };
}
