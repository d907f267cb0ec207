import { describe, expect, it } from 'vitest';
import { Tables } from '../tables/tables.ts';
import { ZoneRules } from './zone-rules.ts';
import { Zones } from './zones.ts';

const zones = new Zones(Tables.read(), 'UTC');
const hour = 3_600_000;

describe('Zones.find', () => {
  it('keeps the identifier as it was given, links included', () => {
    for (const id of ['Asia/Kolkata', 'Asia/Calcutta', 'PST8PDT', 'EST', 'SystemV/YST9YDT', 'Etc/GMT+12']) {
      expect(zones.find(id)?.id).toBe(id);
    }
  });

  it.each([
    ['GMT+5', 'GMT+05:00', 5 * hour],
    ['GMT+0530', 'GMT+05:30', 5.5 * hour],
    ['GMT-9:30', 'GMT-09:30', -9.5 * hour],
    ['GMT+23:59', 'GMT+23:59', 24 * hour - 60_000],
  ])('takes %s for a zone of its own', (given, id, offset) => {
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

  it('counts GMT+00:00 as GMT', () => {
    expect(zones.find('GMT+00:00')?.id).toBe('GMT');
    expect(zones.find('GMT-0')?.id).toBe('GMT');
  });

  it('refuses a default that is no zone', () => {
    expect(() => new Zones(Tables.read(), 'Mars/Olympus')).toThrow('There is no time zone "Mars/Olympus"');
  });
});
