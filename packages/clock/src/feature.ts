import { defineFeature } from '@jig/application';
import { addAssets, readAssets, readInlineScript } from './assets.ts';
import { Clock } from './clock.ts';
import { clockSettings } from './clock-settings.ts';
import { Locales } from './locales.ts';
import { Names } from './names.ts';
import { ClockPages } from './page.ts';
import { PageTexts } from './page-texts.ts';
import { clockPath, clockRoutes } from './routes.ts';
import { requestSelection } from './selection.ts';
import { tzRelease, Zones } from './zones.ts';

declare module '@jig/application' {
  interface BeanTypes {
    readonly clock: Promise<Clock>;
    readonly clockNames: Names;
    readonly clockPages: ClockPages;
    readonly locales: Locales;
    readonly zones: Zones;
  }
}

const pagesView = {
  name: 'ClockPages',
  matches: (value: object): value is ClockPages => value instanceof ClockPages,
  readings: { pages: { read: ({ pages }: ClockPages) => pages } },
};

/** The data releases that names and time zones come from. */
const versions = () => ({ cldr: process.versions.cldr ?? '', tz: tzRelease() });

/** The page at `/clock/time`, and its beans. */
export const clockFeature = defineFeature({
  name: '@jig/clock',
  section: 'clock',
  settings: clockSettings,
  needs: ['clockNames', 'clockPages', 'locales', 'zones'],
  register(host) {
    const { settings } = host;
    // An unknown default must fail the start.
    const [locales, zones] = [new Locales(settings.locale), new Zones(settings.zone)];
    const script = readInlineScript();
    const assets = readAssets();

    host.define('locales', { type: 'Locales', create: () => locales });
    host.define('zones', { type: 'Zones', create: () => zones });
    host.define('clockNames', { type: 'Names', needs: ['locales', 'zones'], create: () => new Names(locales, zones) });
    host.define('clockPages', {
      type: 'ClockPages',
      needs: ['clockNames'],
      create: ({ clockNames: names }) => new ClockPages({ names, texts: new PageTexts(versions), assets, script }),
    });
    host.define('clock', {
      type: 'Clock',
      needs: ['locales', 'zones', 'clockNames'],
      scope: 'request',
      create: async ({ clockNames }, request) => {
        const selection = await requestSelection(request, locales, zones);
        return new Clock(selection, new Date(), await clockNames.listsFor(selection.locale, selection.zone));
      },
    });

    host.view(pagesView);
    host.routes(async (server) => addAssets(server, assets));
    host.routes(clockRoutes(script));
    host.health('clock', () => {
      const { cldr, tz } = versions();
      return { ok: true, state: `ready; CLDR ${cldr}, time zones ${tz}`, details: { cldr, tz } };
    });
    host.link({
      title: 'Clock',
      path: clockPath,
      description: 'The time and the date in any locale and time zone.',
    });
  },
});
