import { describe, expect, it } from 'vitest';
import { Tables } from '../tables/tables.ts';
import { ZoneRules } from './zone-rules.ts';
import { serverZone, Zones } from './zones.ts';

const zones = new Zones(Tables.read(), 'UTC');
const hour = 3_600_000;

describe('Zones.find', () => {
  it('keeps the given identifier, including links', () => {
    for (const id of ['Asia/Kolkata', 'Asia/Calcutta', 'PST8PDT', 'EST', 'SystemV/YST9YDT', 'Etc/GMT+12']) {
      expect(zones.find(id)?.id).toBe(id);
    }
  });

  it.each([
    ['GMT+5', 'GMT+05:00', 5 * hour],
    ['GMT+0530', 'GMT+05:30', 5.5 * hour],
    ['GMT-9:30', 'GMT-09:30', -9.5 * hour],
    ['GMT+23:59', 'GMT+23:59', 24 * hour - 60_000],
  ])('takes %s for a custom zone', (given, id, offset) => {
    const zone = zones.find(given);
    expect(zone).toMatchObject({ id, rawOffset: offset, daylightSavings: 0 });
    expect(zone && ZoneRules.read().offsetAt(zone, Date.now())).toBe(offset);
  });

  it.each(['', 'GMT+24', 'GMT+5:3', '+05:30', 'UTC+5', 'America/nope', '__proto__', 'gmt', 'x'.repeat(1_000_000)])(
    'does not know %.20s',
    (id) => {
      expect(zones.find(id)).toBeUndefined();
    },
  );

  it('takes GMT+00:00 for GMT', () => {
    expect(zones.find('GMT+00:00')?.id).toBe('GMT');
    expect(zones.find('GMT-0')?.id).toBe('GMT');
  });

  it('rejects an unknown default zone', () => {
    expect(() => new Zones(Tables.read(), 'Mars/Olympus')).toThrow('There is no time zone "Mars/Olympus"');
  });
});

describe('serverZone', () => {
  const offered = (id: string) => zones.all.find((zone) => zone.id === id);

  /** `TZ`, what Node then says of its zone and of its offset in minutes, and the zone that is meant. */
  it.each<[tz: string | undefined, reported: string | undefined, offset: number, id: string | undefined]>([
    [undefined, 'Europe/Zurich', 60, 'Europe/Zurich'],
    ['Asia/Kolkata', 'Asia/Calcutta', 330, 'Asia/Kolkata'],
    [':America/New_York', 'America/New_York', -300, 'America/New_York'],
    ['/usr/share/zoneinfo/Europe/Berlin', undefined, 60, 'Europe/Berlin'],
    ['EST5EDT', 'America/New_York', -300, 'EST5EDT'],
    ['UTC-3', undefined, 180, 'GMT+03:00'],
    [':UTC-3', undefined, 180, 'GMT+03:00'],
    ['UTC+3', undefined, -180, 'GMT-03:00'],
    ['EST5', undefined, -300, 'GMT-05:00'],
    ['UTC0', undefined, 0, 'GMT'],
    ['GMT+3', 'GMT+03:00', -180, 'GMT-03:00'],
    ['GMT-5', '-05:00', 300, 'GMT+05:00'],
    ['IST-5:30', 'UTC', 0, 'GMT+05:30'],
    ['<+0330>-3:30', 'UTC', 0, 'GMT+03:30'],
    ['Somewhere', undefined, 180, 'GMT+03:00'],
    ['Somewhere', undefined, -570, 'GMT-09:30'],
    ['Mars/Olympus', undefined, 0, undefined],
    ['', 'Etc/Unknown', 0, undefined],
    ['ABC-25', undefined, 1440, undefined],
    ['CET-1CEST,M3.5.0,M10.5.0/3', 'UTC', 0, 'UTC'],
  ])('of TZ=%s, which Intl calls %s and Date %s minutes ahead, is %s', (tz, reported, offset, id) => {
    expect(serverZone({ tz, reported, offset }, offered)?.id).toBe(id);
  });
});
