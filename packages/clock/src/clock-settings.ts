import { integer, type SettingValues, string } from '@jig/application';
import { Locales } from './locales/locales.ts';
import { Tables } from './tables/tables.ts';
import { Zones } from './zones/zones.ts';

export const clockSettings = {
  locale: string({
    default: 'en-US',
    description: 'The locale of the clock page for browsers that ask for no supported locale.',
  }),
  zone: string({
    default: undefined,
    description: "The time zone of the clock page for visitors who have chosen none. Default: the server's zone.",
  }),
  cacheMegabytes: integer({
    default: 40,
    minimum: 1,
    maximum: 1024,
    description: 'The size of the cache for parts of pages. Whole and compressed pages take up to 15 MB more.',
  }),
} as const;

/** Makes an unknown default fail the start, not the first request. */
export function checkDefaults({ locale, zone }: SettingValues<typeof clockSettings>): void {
  if (locale === clockSettings.locale.default && zone === undefined) return;
  const tables = Tables.read();
  new Locales(tables, locale);
  new Zones(tables, zone);
}
