import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startService, withoutDatabase } from '../test/support/start-service.ts';

interface Picture {
  readonly languageTag: string;
  readonly zoneID: string;
  readonly options?: BrowserContextOptions;
  /** Done on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const narrow = { width: 390, height: 560 };
const newYork = { languageTag: 'en-US', zoneID: 'America/New_York' };

/** By the name of the file. */
const pictures: Readonly<Record<string, Picture>> = {
  'en-US': newYork,
  dark: { ...newYork, options: { colorScheme: 'dark' } },
  'ar-EG': { languageTag: 'ar-EG', zoneID: 'Africa/Cairo' },
  'ja-JP': { languageTag: 'ja-JP', zoneID: 'Asia/Tokyo' },
  'th-TH': { languageTag: 'th-TH', zoneID: 'Asia/Bangkok' },
  narrow: { ...newYork, options: { viewport: narrow } },
  'narrow-dark': { languageTag: 'ar-EG', zoneID: 'Africa/Cairo', options: { viewport: narrow, colorScheme: 'dark' } },
  search: {
    ...newYork,
    act: async (page) => {
      await page.locator('[name=languageTag]').focus();
      await page.keyboard.type('deutsch');
      await page.getByText('de-CH').last().waitFor();
    },
  },
};

/** The pictures of docs/clock.md, as somebody in Berlin sees the page. */
export async function takeClockPictures(browser: Browser, target: string): Promise<void> {
  const service = await startService({ environment: withoutDatabase });
  for (const [name, { languageTag, zoneID, options, act }] of Object.entries(pictures)) {
    const visitor = { locale: 'en-US', timezoneId: 'Europe/Berlin', viewport: { width: 1040, height: 500 } };
    const context = await browser.newContext({ ...visitor, ...options });
    const page = await context.newPage();
    await page.goto(`${service.url}/clock/time?${new URLSearchParams({ languageTag, zoneID })}`);
    await page.waitForLoadState('networkidle');
    await act?.(page);
    await page.screenshot({ path: join(target, `clock-${name}.png`) });
    await context.close();
  }
  await service.stop();
}
