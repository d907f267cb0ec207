import { expect, it } from 'vitest';
import { Locales } from '../locales/locales.ts';
import { Names } from '../names.ts';
import { Tables } from '../tables/tables.ts';
import { Zones } from '../zones/zones.ts';
import { hourDifference } from './hour-difference.ts';

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const names = new Names(tables, locales, new Zones(tables, 'UTC'));
const hour = 3_600_000;

async function difference(tag: string, hours: number): Promise<string> {
  const { texts } = await names.localeLists(locales.find(tag) ?? locales.default);
  return hourDifference(hours * hour, names.hourTexts(texts), '0123456789');
}

it.each([
  ['en', 1, '+1 hour'],
  ['en', -5.75, '-5.75 hours'],
  ['de', 5.5, '+5,5 Stunden'],
  ['ru', 2, '+2 часа'],
  ['ar', 1, '+ ساعة'],
  ['he', -2, '- שעתיים'],
])('a difference is written in %s for %s hours as %s', async (tag, hours, text) => {
  expect((await difference(tag, hours)).replace(/[\u200e\u200f\u061c]/g, '')).toBe(text);
});

it('a difference has its sign in every language', async () => {
  // One locale stands for all that have its texts.
  const tags = new Map(locales.tags.map((tag, position) => [tables.row(position).list, tag])).values();
  for (const tag of tags) {
    for (const hours of [1, 2, 3, 0.5]) {
      const [ahead, behind] = [await difference(tag, hours), await difference(tag, -hours)];
      expect([tag, hours, ahead === behind]).toEqual([tag, hours, false]);
    }
  }
});
