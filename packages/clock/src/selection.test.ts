import { describe, expect, it } from 'vitest';
import { Locales } from './locales.ts';
import { readBrowserZone, select } from './selection.ts';
import { Zones } from './zones.ts';

const locales = new Locales('en-US');
const zones = new Zones('Europe/Paris');
const nothing = { languageTag: undefined, acceptLanguage: undefined, zoneID: undefined, browserZone: undefined };
const selected = (sources: Partial<Record<keyof typeof nothing, string>>) => {
  const { locale, zone, ...rest } = select({ ...nothing, ...sources }, true, locales, zones);
  return { locale: locale.toString(), zone: zone.toString(), ...rest };
};

describe('select', () => {
  it('reads the defaults from the request and the configuration', () => {
    expect(selected({})).toMatchObject({ locale: 'en-US', zone: 'Europe/Paris', isZoneChosen: false });
    expect(selected({ acceptLanguage: 'th' })).toMatchObject({ locale: 'th' });
  });

  it('lets a stored value override only its own default', () => {
    expect(selected({ languageTag: 'ja-JP', acceptLanguage: 'th' })).toMatchObject({
      locale: 'ja-JP',
      zone: 'Europe/Paris',
    });
    expect(selected({ zoneID: 'Asia/Kolkata', acceptLanguage: 'th' })).toMatchObject({
      locale: 'th',
      zone: 'Asia/Kolkata',
    });
  });

  it("uses the browser's zone if no zone is stored", () => {
    expect(selected({ browserZone: 'Asia/Tokyo' })).toMatchObject({ zone: 'Asia/Tokyo', isZoneChosen: false });
    expect(selected({ browserZone: 'Asia/Tokyo', zoneID: 'UTC' })).toMatchObject({ zone: 'UTC', isZoneChosen: true });
    expect(selected({ browserZone: 'Mars/Olympus' })).toMatchObject({ zone: 'Europe/Paris' });
  });

  it('reports unknown stored values, and selects the nearest locale and GMT', () => {
    expect(selected({ languageTag: 'de-XX' })).toMatchObject({ locale: 'de', unknownLocale: 'de-XX' });
    expect(selected({ languageTag: 'rubbish!', acceptLanguage: 'fr' })).toMatchObject({
      locale: 'fr',
      unknownLocale: 'rubbish!',
    });
    expect(selected({ zoneID: 'Mars/Olympus' })).toMatchObject({ zone: 'GMT', unknownZone: 'Mars/Olympus' });
    expect(selected({ languageTag: 'EN-us', zoneID: 'GMT+05:30' })).toEqual({
      locale: 'en-US',
      formatTag: 'en-US',
      zone: 'GMT+05:30',
      browserZone: undefined,
      isZoneChosen: true,
      unknownLocale: undefined,
      unknownZone: undefined,
      isStoreAvailable: true,
    });
  });
});

describe('readBrowserZone', () => {
  it.each([
    ['clock-zone=Asia%2FTokyo', 'Asia/Tokyo'],
    ['x=1; clock-zone=Etc%2FGMT%2B5; y=2', 'Etc/GMT+5'],
    ['clock-zone=GMT+05:30', 'GMT+05:30'],
    ['clock-zone=UTC;y=2', 'UTC'],
    ['clock-zone=UTC"x"', undefined],
    ['clock-zone=%E0%A4%A', undefined],
    ['other-clock-zone=UTC', undefined],
    [undefined, undefined],
  ])('reads %s', (cookies, zone) => {
    expect(readBrowserZone(cookies)).toBe(zone);
  });
});
