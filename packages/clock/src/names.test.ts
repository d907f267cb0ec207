import { describe, expect, it } from 'vitest';
import { zoneTexts } from './formats.ts';
import { Locales } from './locales.ts';
import { Names, zoneName } from './names.ts';
import type { Selection } from './selection.ts';
import { type Zone, Zones } from './zones.ts';

const locales = new Locales('en-US');
const zones = new Zones('UTC');
const names = new Names(locales, zones);
const locale = (tag: string) => locales.find(tag) ?? locales.default;

// `Intl` calls these UTC, and Java Greenwich Mean Time.
const isGreenwich = ({ id }: Zone) => /^(?:Etc\/)?GMT0?$/.test(id);

describe('the names of zones', () => {
  it.each(['en-US', 'de-DE', 'ja-JP'])('in %s are those of Intl for each zone', async (tag) => {
    const lists = await names.listsFor(locale(tag));
    const nameOf = new Map(lists.zones.map(({ id, displayName }) => [id, displayName]));
    expect(nameOf.size).toBe(632);
    const others = zones.all.filter((zone) => !isGreenwich(zone));
    const expected = others.map((zone) => [zone.id, zoneName(tag, zone)]);
    expect(others.map(({ id }) => [id, nameOf.get(id)])).toEqual(expected);
    expect(nameOf.get('GMT')).toBe(nameOf.get('Africa/Abidjan'));
  });

  it('are English where the language has none, and so are those of locales', async () => {
    const { locales: tags, zones: ids } = await names.listsFor(locale('dua'));
    const nameOf = (id: string) => ids.find((each) => each.id === id)?.displayName;
    expect(tags.find(({ languageTag }) => languageTag === 'de-CH')?.displayName).toBe('German (Switzerland)');
    expect(['Europe/Berlin', 'Africa/Casablanca'].map(nameOf)).toEqual([
      'Central European Standard Time',
      'Morocco Time',
    ]);
  });

  it('are those of standard or daylight time by the rules of the zone, also where Node has older ones', () => {
    const vancouver = zones.find('America/Vancouver') as Zone;
    const texts = { locale: locale('en-US'), formatTag: 'en-US', zone: vancouver } as Selection;
    expect(zoneTexts(texts, Date.parse('2026-12-01T00:00:00Z')).zoneName).toBe('Pacific Daylight Time');
  });

  it('include a custom zone, sorted by its offset', async () => {
    const custom = zones.find('GMT+05:31');
    const { zones: listed } = await names.listsFor(locale('en-US'), custom);
    const place = listed.findIndex(({ id }) => id === 'GMT+05:31');
    expect(listed).toHaveLength(633);
    expect(listed[place]?.displayName).toBe('GMT+05:31');
    expect(listed[place - 1]?.rawOffset).toBeLessThan(listed[place]?.rawOffset ?? 0);
    expect(listed[place + 1]?.rawOffset).toBeGreaterThan(listed[place]?.rawOffset ?? 0);
    expect((await names.listsFor(locale('en-US'))).zones).toHaveLength(632);
  });
});

describe('locales that share the lists of a shorter tag', () => {
  const shared = locales.tags.filter((tag) => locales.listTagOf(locale(tag)) !== tag);

  it('are most of them', () => expect(shared.length).toBeGreaterThan(800));

  it.each(shared.filter((_tag, place) => place % 60 === 0))('have the same names and order: %s', (tag) => {
    const lists = (languageTag: string) => {
      const languages = new Intl.DisplayNames(languageTag, { type: 'language', languageDisplay: 'standard' });
      const { compare } = new Intl.Collator(languageTag);
      const places = ['America/New_York', 'Europe/Zurich', 'Asia/Tokyo', 'Australia/Sydney', 'Africa/Lagos'];
      return {
        locales: locales.tags.map((each) => languages.of(each)),
        order: locales.tags.toSorted(compare),
        zones: places.map((place) => zoneName(languageTag, zones.find(place) as Zone, true)),
      };
    };
    expect(lists(tag)).toEqual(lists(locales.listTagOf(locale(tag))));
  });
});
