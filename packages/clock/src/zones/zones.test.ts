import { describe, expect, it, vi } from 'vitest';
import { Tables } from '../tables/tables.ts';
import { CurrentOffsets } from './current-offsets.ts';
import { offsetAt } from './offset-at.ts';
import { Zones } from './zones.ts';

const zones = new Zones(Tables.read(), 'UTC');
const hour = 3_600_000;

// Going through all locales takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

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
    expect(zone && new CurrentOffsets().at(zone, Date.now())).toBe(offset);
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

describe('CurrentOffsets', () => {
  it('follows every change of the offset to the minute, as time goes on', () => {
    for (const id of [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kathmandu',
    ]) {
      const zone = zones.find(id) ?? zones.default;
      const offsets = new CurrentOffsets();
      let now = Date.UTC(2026, 1, 1, 0, 0, 30);
      while (now < Date.UTC(2026, 4, 1)) {
        expect(offsets.at(zone, now)).toBe(offsetAt(id, now) * 60_000);
        now += 37 * 60_000 + 11_000;
      }
    }
  });

  it('knows the minute before and the minute of a change', () => {
    const offsets = new CurrentOffsets();
    const zone = zones.find('Europe/Berlin') ?? zones.default;
    const change = Date.UTC(2026, 2, 29, 1);
    expect(offsets.at(zone, change - 5 * hour)).toBe(hour);
    expect(offsets.at(zone, change - 1)).toBe(hour);
    expect(offsets.at(zone, change)).toBe(2 * hour);
    expect(offsets.at(zone, change - 1)).toBe(hour);
  });
});
