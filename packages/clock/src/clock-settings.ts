import { integer, type SettingValues, string } from '@jig/application';
import { Locales } from './locales/locales.ts';
import { Tables } from './tables/tables.ts';
import { Zones } from './zones/zones.ts';

export const clockSettings = {
  locale: string({
    default: 'en-US',
    description: 'The locale for browsers that ask for no supported one.',
  }),
  zone: string({
    default: undefined,
    description: "The zone for visitors who have chosen none; otherwise the server's.",
  }),
  cacheMegabytes: integer({
    default: 40,
    minimum: 1,
    maximum: 1024,
    description: 'The cache for parts of pages; whole pages take up to 15 MB more.',
  }),
} as const;

/** Makes an unknown default fail the start, not the first request. */
export function checkDefaults({ locale, zone }: SettingValues<typeof clockSettings>): void {
  if (locale === clockSettings.locale.default && zone === undefined) return;
  const tables = Tables.read();
  new Locales(tables, locale);
  new Zones(tables, zone);
}
