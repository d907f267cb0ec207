import { defineFeature } from '@jig/application';
import { Clock } from './clock.ts';
import { checkDefaults, clockSettings } from './clock-settings.ts';
import { LocaleFormats } from './formatting/locale-formats.ts';
import { Locales } from './locales/locales.ts';
import { Names } from './names.ts';
import { packageFolder } from './package-folder.ts';
import { assetAddresses, publishedLibrary, readAssetManifest, readInlineScript } from './page/clock-assets.ts';
import { ClockPages } from './page/clock-pages.ts';
import { PageTemplate } from './page/page-template.ts';
import { PageTexts } from './page/page-texts.ts';
import { clockPath, clockRoutes } from './routes/clock-routes.ts';
import { requestSelection } from './selection.ts';
import { Tables } from './tables/tables.ts';
import { ZoneRules } from './zones/zone-rules.ts';
import { Zones } from './zones/zones.ts';

declare module '@jig/application' {
  interface BeanTypes {
    readonly clock: Promise<Clock>;
    readonly clockFormats: LocaleFormats;
    readonly clockNames: Names;
    readonly clockPages: ClockPages;
    readonly clockTables: Tables;
    readonly locales: Locales;
    readonly zoneRules: ZoneRules;
    readonly zones: Zones;
  }
}

const megabyte = 1024 * 1024;

/** What one wants to know of the pages at a glance. */
const pagesView = {
  name: 'ClockPages',
  matches: (value: object): value is ClockPages => value instanceof ClockPages,
  readings: {
    pages: { read: ({ cached }: ClockPages) => cached.count },
    memory: { read: ({ cached }: ClockPages) => cached.bytes, unit: 'bytes' },
    wholePages: { read: ({ wholePages }: ClockPages) => wholePages.count },
    formatters: { read: ({ formatters }: ClockPages) => formatters },
  },
};

/** The page at `/clock/time`, and its beans. */
export const clockFeature = defineFeature({
  name: '@jig/clock',
  section: 'clock',
  settings: clockSettings,
  needs: ['clockFormats', 'clockNames', 'clockPages', 'clockTables', 'locales', 'zoneRules', 'zones'],
  register(host) {
    const { settings } = host;
    checkDefaults(settings);
    const script = readInlineScript();
    const builtAssets = readAssetManifest();

    host.define('clockTables', { type: 'Tables', create: () => Tables.read() });
    host.define('locales', {
      type: 'Locales',
      needs: ['clockTables'],
      create: ({ clockTables }) => new Locales(clockTables, settings.locale),
    });
    host.define('zones', {
      type: 'Zones',
      needs: ['clockTables'],
      create: ({ clockTables }) => new Zones(clockTables, settings.zone),
    });
    host.define('zoneRules', { type: 'ZoneRules', create: () => ZoneRules.read() });
    host.define('clockNames', {
      type: 'Names',
      needs: ['clockTables', 'locales', 'zones'],
      create: ({ clockTables, locales, zones }) => new Names(clockTables, locales, zones),
    });
    host.define('clockFormats', {
      type: 'LocaleFormats',
      needs: ['clockTables', 'locales', 'zoneRules'],
      create: ({ clockTables, locales, zoneRules }) => new LocaleFormats(clockTables, locales, zoneRules),
    });
    host.define('clockPages', {
      type: 'ClockPages',
      needs: ['assets', 'messages', 'clockTables', 'clockNames', 'clockFormats', 'zoneRules', 'zones'],
      create: ({ assets, messages, clockTables, clockNames, clockFormats, zoneRules, zones }) =>
        new ClockPages({
          template: new PageTemplate(),
          names: clockNames,
          zones,
          formats: clockFormats,
          rules: zoneRules,
          texts: new PageTexts(messages, { cldr: clockTables.madeFrom.cldr, tz: zoneRules.release }),
          assets: assetAddresses(builtAssets, assets),
          script,
          bound: settings.cacheMegabytes * megabyte,
        }),
    });
    host.define('clock', {
      type: 'Clock',
      needs: ['locales', 'zones', 'clockNames', 'clockFormats'],
      scope: 'request',
      create: async ({ locales, zones, clockNames, clockFormats }, request) => {
        const selection = await requestSelection(request, locales, zones);
        const lists = await clockNames.in(selection.locale, selection.zone);
        return new Clock(selection, new Date(), lists, clockFormats);
      },
    });

    host.view(pagesView);
    host.messages(new URL('messages/', packageFolder));
    for (const asset of Object.values(builtAssets)) host.publish(publishedLibrary(asset));
    host.routes(clockRoutes(script));
    host.health('clock', ({ clockTables, zoneRules }) => clockTables.health(zoneRules));
    host.link({
      title: 'Clock',
      path: clockPath,
      description: 'The time and the date, in every locale and every time zone of the world.',
    });
  },
});
