import { describe, expect, it } from 'vitest';
import { Locales } from './locales.ts';
import { Names, zoneNameAt } from './names.ts';
import { type Zone, Zones } from './zones.ts';

const locales = new Locales('en-US');
const zones = new Zones('UTC');
const names = new Names(locales, zones);
const locale = (tag: string) => locales.find(tag) ?? locales.default;

/** An instant of standard time. */
const standardTime = (zone: Zone) =>
  [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)].find((each) => zone.periodAt(each).offset === zone.rawOffset) ??
  Date.UTC(2025, 6, 1);

// `Intl` calls these UTC, and Java Greenwich Mean Time.
const isGreenwich = ({ id }: Zone) => /^(?:Etc\/)?GMT0?$/.test(id);

describe('the names of zones', () => {
  it.each(['en-US', 'de-DE', 'ja-JP'])('in %s are those of Intl for each zone', async (tag) => {
    const lists = await names.in(locale(tag));
    const nameOf = new Map(lists.zones.map(({ id, displayName }) => [id, displayName]));
    expect(nameOf.size).toBe(632);
    const others = zones.all.filter((zone) => !isGreenwich(zone));
    const expected = others.map((zone) => [zone.id, zoneNameAt(tag, zone.formatAs, standardTime(zone))]);
    expect(others.map(({ id }) => [id, nameOf.get(id)])).toEqual(expected);
    expect(nameOf.get('GMT')).toBe(nameOf.get('Africa/Abidjan'));
  });

  it('include a custom zone, sorted by its offset', async () => {
    const custom = zones.find('GMT+05:31');
    const { zones: listed } = await names.in(locale('en-US'), custom);
    const place = listed.findIndex(({ id }) => id === 'GMT+05:31');
    expect(listed).toHaveLength(633);
    expect(listed[place]?.displayName).toBe('GMT+05:31');
    expect(listed[place - 1]?.rawOffset).toBeLessThan(listed[place]?.rawOffset ?? 0);
    expect(listed[place + 1]?.rawOffset).toBeGreaterThan(listed[place]?.rawOffset ?? 0);
    expect((await names.in(locale('en-US'))).zones).toHaveLength(632);
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
        zones: places.map((place) => zoneNameAt(languageTag, place, Date.UTC(2025, 6, 1))),
      };
    };
    expect(lists(tag)).toEqual(lists(locales.listTagOf(locale(tag))));
  });
});
