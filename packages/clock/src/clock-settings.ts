import { integer, type SettingValues, text } from '@jig/application';
import { Locales } from './locales/locales.ts';
import { Tables } from './tables/tables.ts';
import { Zones } from './zones/zones.ts';

export const clockSettings = {
  locale: text({
    default: 'en-US',
    description: 'The locale of the clock page for those whose browser asks for none that is offered.',
  }),
  zone: text({
    default: undefined,
    description: "The time zone of the clock page for those who have chosen none; the server's own otherwise.",
  }),
  cacheMegabytes: integer({
    default: 40,
    minimum: 1,
    maximum: 1024,
    description:
      'How much memory the clock keeps the parts of pages in, so that they need not be made anew. Whole and compressed pages take up to 15 more.',
  }),
} as const;

/** Whoever configures something that does not exist is told at the start, not by the first visitor. */
export function checkDefaults({ locale, zone }: SettingValues<typeof clockSettings>): void {
  if (locale === clockSettings.locale.default && zone === undefined) return;
  const tables = Tables.read();
  new Locales(tables, locale);
  new Zones(tables, zone);
}
