import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { useChromium } from './chromium.ts';
import { useService } from './in-process.ts';

export interface Choice {
  readonly languageTag: string;
  readonly zoneID: string;
}

/** The clock's page in a real browser, for the tests of one file. */
export function clockInBrowser() {
  const service = useService({ JIG_CLOCK_ZONE: 'UTC' });
  const open = useChromium();

  /** Chooses without a page, for the one that is opened next. */
  const choose = (page: Page, choice: Choice) =>
    page.request.post(`${service.url}/clock/time`, { form: { ...choice }, maxRedirects: 0 });

  /** Opens the clock in one, after what comes before; whatever the page complains about in the console fails the test. */
  const visit = (
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
    before: (page: Page) => Promise<unknown> = async () => {},
  ) =>
    open(options, async (page) => {
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await before(page);
      await page.goto(`${service.url}/clock/time`);
      await look(page);
      expect(complaints).toEqual([]);
    });

  return {
    open,
    visit,
    choose,
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
