import { afterEach, describe, expect, it, vi } from 'vitest';
import { Zones } from './zones.ts';

const zones = new Zones('UTC');
const hour = 3_600_000;
const offsetAt = (id: string, instant: string) => zones.find(id)?.periodAt(Date.parse(instant)).offset;

describe('Zones.find', () => {
  it('keeps the given identifier, including links', () => {
    for (const id of ['Asia/Kolkata', 'Asia/Calcutta', 'PST8PDT', 'EST', 'SystemV/YST9YDT', 'Etc/GMT+12'])
      expect(zones.find(id)?.id).toBe(id);
  });

  it.each([
    ['GMT+5', 'GMT+05:00', 5 * hour],
    ['GMT+0530', 'GMT+05:30', 5.5 * hour],
    ['GMT-9:30', 'GMT-09:30', -9.5 * hour],
    ['GMT+23:59', 'GMT+23:59', 24 * hour - 60_000],
    ['GMT+00:00', 'GMT', 0],
  ])('treats %s as a custom zone', (given, id, offset) => {
    const zone = zones.find(given);
    expect(zone).toMatchObject({ id, rawOffset: offset, daylightSavings: 0 });
    expect(zone?.periodAt(Date.now()).offset).toBe(offset);
  });

  it.each(['', 'GMT+24', 'GMT+5:3', '+05:30', 'UTC+5', 'America/nope', '__proto__', 'gmt', 'x'.repeat(1_000_000)])(
    'does not find %.20s',
    (id) => expect(zones.find(id)).toBeUndefined(),
  );
});

describe('Zone.periodAt', () => {
  it.each([
    ['Europe/Zurich', '2026-10-25T00:59:59.999Z', 2],
    ['Europe/Zurich', '2026-10-25T01:00:00Z', 1],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 11],
    ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 10.5],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 5.75],
    ['AET', '2026-01-01T00:00:00Z', 11],
    ['SystemV/PST8PDT', '2026-07-01T00:00:00Z', -7],
    ['Etc/GMT+12', '2026-01-01T00:00:00Z', -12],
  ])('of %s at %s is %d hours ahead', (id, instant, hours) => {
    expect(offsetAt(id, instant)).toBe(hours * hour);
  });

  it('lasts until the next change, or until the end of time', () => {
    const until = (id: string) => zones.find(id)?.periodAt(Date.parse('2026-07-01T00:00:00Z')).until;
    expect(until('Europe/Zurich')).toBe(Date.parse('2026-10-25T01:00:00Z'));
    for (const id of ['UTC', 'Asia/Tokyo', 'GMT+05:30']) expect(until(id)).toBe(8_640_000_000_000_000);
  });
});

describe('the default zone', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['Asia/Kolkata', 'Asia/Kolkata'],
    [':America/New_York', 'America/New_York'],
    ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['EST5EDT', 'EST5EDT'],
    ['UTC-3', 'GMT+03:00'],
    ['EST5', 'GMT-05:00'],
    ['GMT+3', 'GMT-03:00'],
    ['IST-5:30', 'GMT+05:30'],
    ['<+0330>-3:30', 'GMT+03:30'],
    ['Mars/Olympus', 'UTC'],
  ])('of TZ=%s is %s', (TZ, id) => {
    vi.stubEnv('TZ', TZ);
    expect(new Zones().default.id).toBe(id);
  });

  it('must be a known zone', () => {
    expect(() => new Zones('Mars/Olympus')).toThrow('clock.zone is "Mars/Olympus", which is not a time zone');
  });
});
