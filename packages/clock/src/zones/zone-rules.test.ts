import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { Tables } from '../tables/tables.ts';
import { PackagedRules, type PackedData } from './packaged-rules.ts';
import { endOfTime } from './zone.ts';
import { ZoneRules } from './zone-rules.ts';
import { Zones } from './zones.ts';

/** What Python reads in the tz database: see scripts/zone-offsets.py. */
interface ZoneOffsets {
  readonly release: string;
  readonly until: number;
  readonly groups: readonly {
    readonly zones: readonly string[];
    readonly changes: readonly (readonly [from: number, offset: number])[];
  }[];
}

const zones = new Zones(Tables.read(), 'UTC');
const packaged = PackagedRules.read();
const expected = JSON.parse(
  readFileSync(new URL('../../test/data/zone-offsets.json', import.meta.url), 'utf8'),
) as ZoneOffsets;
const hour = 3_600_000;
const oldIcu = { icu: '78.2', tz: '2025c' };

vi.setConfig({ testTimeout: 60_000 });

function find(id: string) {
  const zone = zones.find(id);
  if (!zone) throw new Error(`There is no zone ${id}.`);
  return zone;
}

/** From Ramadan on, which these two follow, no rule goes on for ever. */
const endsIn2037 = new Set(['Asia/Gaza', 'Asia/Hebron']);

describe('ZoneRules with the packaged rules', () => {
  it('are of the release that they are compared with; after an update, run scripts/zone-offsets.py', () => {
    expect(packaged.release).toBe(expected.release);
    expect(expected.groups.flatMap(({ zones }) => zones).sort()).toEqual(zones.all.map(({ id }) => id));
  });

  it('have every change of every zone to the second, also after the last listed year', () => {
    for (const { zones: ids, changes } of expected.groups) {
      for (const id of ids) {
        const zone = find(id);
        const rules = new ZoneRules(packaged, oldIcu);
        const last = endsIn2037.has(id) ? Date.UTC(2038, 0) : expected.until * 1000;
        const found: [number, number][] = [];
        let instant = (changes[0]?.[0] ?? 0) * 1000;
        while (instant < last) {
          const { offset, until } = rules.periodAt(zone, instant);
          // A period that ends with the year, not with a change, goes on in the next one.
          if (found.at(-1)?.[1] !== offset / 1000) found.push([instant / 1000, offset / 1000]);
          instant = until;
        }
        expect([id, found]).toEqual([id, changes.filter(([from]) => from * 1000 < last)]);
      }
    }
  });

  it('give the same offset regardless of earlier calls', () => {
    const rules = new ZoneRules(packaged, oldIcu);
    for (const id of ['Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Gaza', 'SystemV/PST8PDT']) {
      const changes = expected.groups.find((group) => group.zones.includes(id))?.changes ?? [];
      const beforeAndAt = changes.slice(1, 20).flatMap(([from, offset], index) => [
        { instant: from * 1000 - 1, offset: changes[index]?.[1] },
        { instant: from * 1000, offset },
      ]);
      for (const { instant, offset } of [...beforeAndAt, ...beforeAndAt.toReversed()]) {
        expect([id, instant, rules.offsetAt(find(id), instant) / 1000]).toEqual([id, instant, offset]);
      }
    }
  });

  it('have the past as well', () => {
    const rules = new ZoneRules(packaged, oldIcu);
    const at = (id: string, ...date: [number, number, number]) => rules.offsetAt(find(id), Date.UTC(...date)) / hour;
    expect(at('Europe/Berlin', 1945, 5, 15)).toBe(3);
    expect(at('Asia/Kolkata', 1943, 0, 1)).toBe(6.5);
    expect(at('America/Vancouver', 1999, 0, 1)).toBe(-8);
    expect(at('Africa/Monrovia', 1960, 0, 1) * 3600).toBe(-2670);
  });

  it('give a custom zone its fixed offset', () => {
    const rules = new ZoneRules(packaged, oldIcu);
    expect(rules.periodAt(find('GMT+05:30'), 0)).toEqual({ offset: 5.5 * hour, from: -endOfTime, until: endOfTime });
  });
});

const eachField = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const;

function asUtc(parts: readonly Intl.DateTimeFormatPart[]): number {
  const field = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(field('year'), field('month') - 1, field('day'), field('hour'), field('minute'), field('second'));
}

describe('ZoneRules', () => {
  const data: PackedData = { version: '2026b', zones: ['Etc/UTC|UTC|0|0||'], links: ['Etc/UTC|UTC', 'gone|GMT'] };
  const of2026b = new PackagedRules(data.version, 'a package 1.0.0', () => data);

  it.each([
    ['2025c', '2026b', 'a package 1.0.0'],
    ['2026a', '2026b', 'a package 1.0.0'],
    ['2026b', '2026b', 'a package 1.0.0'],
    [undefined, '2026b', 'a package 1.0.0'],
    ['2026c', '2026c', 'ICU 78.2'],
    ['2027a', '2027a', 'ICU 78.2'],
  ])('follow the newer of 2026b and ICU with %s', (tz, release, source) => {
    const versions = { icu: '78.2', ...(tz === undefined ? {} : { tz }) };
    const rules = new ZoneRules(of2026b, versions);
    expect(rules).toMatchObject({ release, source, available: { packaged: '2026b', icu: tz } });
  });

  it('follow ICU when the package cannot be read, and say that it is missing', () => {
    const rules = new ZoneRules(undefined, oldIcu);
    expect(rules).toMatchObject({ release: '2025c', source: 'ICU 78.2', available: { packaged: undefined } });
    expect(rules.offsetAt(find('Asia/Kolkata'), 0)).toBe(5.5 * hour);
  });

  it('follow ICU in zones that the package lacks or has in another format', () => {
    const odd = { ...data, zones: ['Europe/Berlin|CET|-10|0|?|', 'Asia/Tokyo|JST|-90|01||', ...data.zones] };
    const rules = new ZoneRules(new PackagedRules(data.version, 'a package 1.0.0', () => odd), oldIcu);
    const summer = Date.UTC(2030, 6);
    expect(rules.offsetAt(find('Europe/Berlin'), summer)).toBe(2 * hour);
    expect(rules.offsetAt(find('Asia/Tokyo'), summer)).toBe(9 * hour);
    expect(rules.offsetAt(find('Asia/Kolkata'), summer)).toBe(5.5 * hour);
    expect(rules.offsetAt(find('GMT'), summer)).toBe(0);
  });

  it('follow ICU when the data of the package turns out to be damaged', () => {
    const damaged = new PackagedRules(data.version, 'a package 1.0.0', () => JSON.parse('{"zones":'));
    expect(new ZoneRules(damaged, oldIcu).offsetAt(find('Asia/Kolkata'), 0)).toBe(5.5 * hour);
  });

  it('are read when a zone is first asked for, and once', () => {
    const read = vi.fn(() => data);
    const rules = new ZoneRules(new PackagedRules(data.version, 'a package 1.0.0', read), oldIcu);
    expect([rules.release, read.mock.calls.length]).toEqual(['2026b', 0]);
    rules.offsetAt(find('UTC'), 0);
    rules.offsetAt(find('GMT'), 0);
    expect(read).toHaveBeenCalledOnce();
  });

  it('refuse a package that names no release', () => {
    expect(() => new PackagedRules('', 'a package 1.0.0', () => data)).toThrow('a package 1.0.0');
  });

  it('follow every change of ICU to the minute, as time goes on', () => {
    for (const id of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kathmandu']) {
      const rules = new ZoneRules(undefined);
      const localTime = new Intl.DateTimeFormat('en-US', { ...eachField, timeZone: id });
      let now = Date.UTC(2026, 1, 1, 0, 0, 30);
      while (now < Date.UTC(2026, 4, 1)) {
        expect(rules.offsetAt(find(id), now)).toBe(asUtc(localTime.formatToParts(now)) - now);
        now += 37 * 60_000 + 11_000;
      }
    }
  });

  it('have the minute before and the minute of a change of ICU', () => {
    const rules = new ZoneRules(undefined);
    const zone = find('Europe/Berlin');
    const change = Date.UTC(2026, 2, 29, 1);
    expect(rules.offsetAt(zone, change - 5 * hour)).toBe(hour);
    expect(rules.periodAt(zone, change - 5 * hour).until).toBe(change);
    expect(rules.offsetAt(zone, change - 1)).toBe(hour);
    expect(rules.offsetAt(zone, change)).toBe(2 * hour);
    expect(rules.offsetAt(zone, change - 1)).toBe(hour);
  });
});
