import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

/** What JDK 25 has, each name at the place of its tag or zone in `base`. */
interface Names {
  readonly localeNames: readonly string[];
  readonly localeOrder: readonly string[];
  readonly zoneOrder: readonly string[];
}

function readReference(name: string): unknown {
  const file = new URL(`../../packages/clock/test/data/jdk25-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What ICU4J 78.3 has, each name at the place of its zone. */
const icu4j = JSON.parse(
  readFileSync(new URL('../../packages/clock/test/data/icu4j78.json', import.meta.url), 'utf8'),
) as { zones: string[]; names: Record<string, { zones: string[] }> };

type Zone = readonly [id: string, rawOffset: number, daylightAmount: number];

const base = readReference('base') as { localeTags: string[]; zones: Zone[] };
const zonesById = new Map(base.zones.map((zone) => [zone[0], zone]));

const service = useService();

async function pageOf(languageTag: string, zoneID = 'UTC') {
  const visitor = new Visitor(service.url);
  await visitor.choose({ languageTag, zoneID });
  return visitor.page();
}

describe.each(['ar-EG', 'de-DE', 'en-US', 'ja-JP'])('the options in %s', (tag) => {
  const names = readReference(tag) as Names;

  it('are all zones, by offset, daylight amount and ID, with their names in this locale', async () => {
    const { options } = (await pageOf(tag)).zoneID;
    expect(options.map(([value]) => value)).toEqual(names.zoneOrder);
    // Where ICU4J has no name, it has an offset.
    const nameOf = new Map(icu4j.zones.map((id, place) => [id, icu4j.names[tag]?.zones[place] ?? 'GMT+00:00']));
    const named = options.filter(([value]) => !/\d\d:\d\d$/.test(nameOf.get(value) ?? ''));
    expect(named.filter(([value, text]) => text !== `${value} - ${nameOf.get(value)}`)).toEqual([]);
    expect(named.length).toBeGreaterThan(tag === 'ar-EG' ? -1 : 570);
    const bare = options.filter(([value, text]) => /- \p{L}*[+-]\d/u.test(text) && !value.startsWith('Etc/'));
    expect(bare).toEqual([]);
  });

  it('are the locales of the platform, by tag, with their names in this locale', async () => {
    const { options } = (await pageOf(tag)).languageTag;
    const tags = options.map(([value]) => value);
    expect(new Set(tags).size).toBe(tags.length);
    expect(tags).not.toContain('');
    const missing = base.localeTags.filter((wanted) => wanted !== '' && wanted !== 'und' && !tags.includes(wanted));
    expect(missing.length).toBeLessThanOrEqual(30);
    const known = new Set(base.localeTags);
    // The JDK has one of its locales twice.
    const expected = [...new Set(names.localeOrder)].filter((value) => tags.includes(value));
    expect(tags.filter((value) => known.has(value))).toEqual(expected);
    const nameOf = new Map(base.localeTags.map((wanted, place) => [wanted, names.localeNames[place]]));
    const both = options.filter(([value]) => nameOf.has(value));
    const different = both.filter(([value, text]) => text !== `${value} - ${nameOf.get(value)}`);
    expect(different.length / both.length).toBeLessThan(0.04);
  });
});

describe('the bean clock', () => {
  it('has the seven attributes of the model, for the caller', async () => {
    const visitor = new Visitor(service.url);
    await visitor.choose({ languageTag: 'ja-JP', zoneID: 'America/New_York' });
    const before = Date.now();
    const model = (await (await visitor.ask('/jig/bean/clock.json')).json()) as Record<string, unknown>;
    expect(Object.keys(model)).toEqual(['locale', 'zone', 'timestamp', 'date', 'time', 'locales', 'zones']);
    expect(model).toMatchObject({
      locale: { languageTag: 'ja-JP' },
      zone: { id: 'America/New_York', rawOffset: -18_000_000 },
      timestamp: expect.any(Number) as number,
      date: { style: 'long date', calendar: 'gregory' },
    });
    expect(model.timestamp).toBeGreaterThanOrEqual(before);
    expect(model.timestamp).toBeLessThanOrEqual(Date.now());
    for (const formatter of [model.date, model.time]) {
      expect(JSON.stringify(formatter)).toContain('ja-JP');
      expect(JSON.stringify(formatter)).toContain('America/New_York');
    }
    expect((model.locales as unknown[]).length).toBeGreaterThan(1125);
    const zones = model.zones as { id: string; rawOffset: number; daylightSavings: number }[];
    expect(zones).toHaveLength(632);
    expect(zones.map(({ id }) => id)).toEqual((readReference('ja-JP') as Names).zoneOrder);
    for (const { id, rawOffset, daylightSavings } of zones) {
      expect([id, rawOffset, daylightSavings]).toEqual(zonesById.get(id));
    }
    const xml = await (await visitor.ask('/jig/bean/clock.xml')).text();
    expect(xml).toMatch(/^(<\?xml[^>]*\?>\s*)?<Clock[ >]/);
  });
});
