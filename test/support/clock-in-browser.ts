import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type OpenPage, useChromium } from './chromium.ts';
import { type RunningService, startService, withoutDatabase } from './start-service.ts';

/** The clock's page in a real browser, for the tests of one file. */
export function clockInBrowser() {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ environment: { ...withoutDatabase, JIG_CLOCK_ZONE: 'UTC' } });
  });
  afterAll(() => service?.stop());
  const openPage = useChromium();

  /** Opens a browser that has not been anywhere yet. */
  const open: OpenPage = (options, look) => openPage({ timezoneId: 'UTC', ...options }, look);

  /** Opens the clock in one; whatever the page complains about in the console fails the test. */
  const visit = (options: BrowserContextOptions, look: (page: Page) => Promise<void>) =>
    open(options, async (page) => {
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${service.url}/clock/time`);
      await look(page);
      expect(complaints).toEqual([]);
    });

  return {
    open,
    visit,
    get url() {
      return service.url;
    },
  };
}

export const locale = (page: Page) => page.locator('[name=languageTag]');
export const zone = (page: Page) => page.locator('[name=zoneID]');
export const time = (page: Page) => page.locator('h1').first();
export const date = (page: Page) => page.locator('h1').last();

/** Leaves a few options in each list: all are alike, and axe would look at each of them. */
export const shortenLists = (page: Page) =>
  page.locator('option:nth-child(n + 10):not(:checked)').evaluateAll((options) => {
    for (const option of options) option.remove();
  });

/** Chooses as somebody does with the mouse, and waits for the page that follows. */
export async function choose(page: Page, select: 'languageTag' | 'zoneID', value: string) {
  await Promise.all([page.waitForEvent('framenavigated'), page.locator(`[name=${select}]`).selectOption(value)]);
  await page.waitForLoadState('load');
}

/** What the clock shows next, so many times, and when. */
export function nextTicks(page: Page, count: number): Promise<{ text: string; at: number }[]> {
  return time(page).evaluate(
    (heading, wanted) =>
      new Promise<{ text: string; at: number }[]>((resolve) => {
        const seen: { text: string; at: number }[] = [];
        new MutationObserver(() => {
          seen.push({ text: heading.textContent ?? '', at: Date.now() });
          if (seen.length === wanted) resolve(seen);
        }).observe(heading, { childList: true, characterData: true, subtree: true });
      }),
    count,
  );
}
