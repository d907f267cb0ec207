import { branch, type CldrNode, leaf, readLanguage, readNumberingSystems, readSupplemental } from './cldr.ts';
import type { SupportedZone } from './supported-zones.ts';

type TimeKind = 'standard' | 'daylight';

/** The names of all zones in standard time, and of those that have it in daylight time. */
export type ZoneNames = Readonly<Record<TimeKind, string[]>>;

/** Names the zones in one language after the other: the long name, or the nearest thing that CLDR has parts for. */
export function zoneNamer(): (
  source: string,
  zones: Readonly<Record<TimeKind, readonly SupportedZone[]>>,
) => ZoneNames {
  const metazones = currentMetazones();
  const digits = numberingDigits();
  const english = readZoneNames('en');
  const root = readZoneNames('und');

  return (source, zones) => {
    const names = readZoneNames(source);
    const digitsOfSource = digits(source);
    const nameIn = (kind: TimeKind, { cldrId }: SupportedZone) => {
      const own = longName(names, cldrId, metazones.get(cldrId), kind);
      if (own) return own;
      const hours = fixedOffset(cldrId);
      if (hours !== undefined) return offsetName(names, hours, digitsOfSource);
      const inEnglish = longName(english, cldrId, metazones.get(cldrId), kind);
      return cityName(names, root, cldrId, kind) ?? inEnglish ?? cityName(english, root, cldrId, kind) ?? cldrId;
    };
    return {
      standard: zones.standard.map((zone) => nameIn('standard', zone)),
      daylight: zones.daylight.map((zone) => nameIn('daylight', zone)),
    };
  };
}

const readZoneNames = (source: string) => readLanguage('dates', source, 'timeZoneNames', 'dates', 'timeZoneNames');

/** The zone's own name, else its metazone's; one without daylight time may have only a generic name. */
function longName(names: CldrNode, cldrId: string, metazone: string | undefined, kind: TimeKind): string | undefined {
  const own = leaf(names, 'zone', ...cldrId.split('/'), 'long', kind);
  if (own || !metazone) return own;
  const ofMetazone = branch(names, 'metazone', metazone, 'long');
  return leaf(ofMetazone, kind) ?? (kind === 'standard' ? leaf(ofMetazone, 'generic') : undefined);
}

/** UTS #35, "location format": the city in a phrase. Root's placeholder `(+0)` says nothing and is left out. */
function cityName(names: CldrNode, root: CldrNode, cldrId: string, kind: TimeKind): string | undefined {
  const path = cldrId.split('/');
  const own = leaf(names, 'zone', ...path, 'exemplarCity');
  const phrase = leaf(names, `regionFormat-type-${kind}`)?.replace(/ \(\+\p{Nd}\)/u, '') ?? '{0}';
  const pattern = phrase === '{0}' ? (leaf(names, 'regionFormat') ?? phrase) : phrase;
  const isForeign = own === undefined || own === leaf(root, 'zone', ...path, 'exemplarCity');
  if (pattern === '{0}' && isForeign) return undefined;
  return pattern.replace('{0}', own ?? path.at(-1)?.replaceAll('_', ' ') ?? cldrId);
}

/** The hours of `Etc/GMT+5`, whose sign is the other way round: five hours behind. */
function fixedOffset(cldrId: string): number | undefined {
  const [, hours] = /^Etc\/GMT([+-]\d+)$/.exec(cldrId) ?? [];
  return hours === undefined ? undefined : -Number(hours);
}

function offsetName(names: CldrNode, hours: number, digits: readonly string[]): string {
  const [ahead = '+HH:mm', behind = '-HH:mm'] = (leaf(names, 'hourFormat') ?? '').split(';');
  const text = (hours < 0 ? behind : ahead)
    .replace(/H+/, (letters) => String(Math.abs(hours)).padStart(letters.length, '0'))
    .replace('mm', '00')
    .replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
  return (leaf(names, 'gmtFormat') ?? 'GMT{0}').replace('{0}', text);
}

function numberingDigits(): (source: string) => readonly string[] {
  const systems = readNumberingSystems();
  return (source) => {
    const system = leaf(readLanguage('numbers', source, 'numbers', 'numbers'), 'defaultNumberingSystem') ?? 'latn';
    return Array.from(systems[system] ?? '0123456789');
  };
}

/** The metazone that each zone belongs to today. */
function currentMetazones(): Map<string, string> {
  const info = branch(
    readSupplemental('cldr-core/supplemental/metaZones.json'),
    'supplemental',
    'metaZones',
    'metazoneInfo',
    'timezone',
  );
  const found = new Map<string, string>();
  const visit = (node: CldrNode, path: string[]): void => {
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== 'object') continue;
      const metazone = leaf(child, 'usesMetazone', '_mzone');
      if (metazone === undefined) visit(child, [...path, key]);
      else if (leaf(child, 'usesMetazone', '_to') === undefined) found.set(path.join('/'), metazone);
    }
  };
  visit(info, []);
  return found;
}
