import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holdRequests, violations } from '../support/chromium.ts';
import { clockInBrowser, locale, shortenLists, zone } from '../support/clock-in-browser.ts';

const clock = clockInBrowser();
const field = (page: Page) => page.getByRole('combobox', { expanded: true });
const active = (page: Page) => page.locator('[role=option][aria-selected=true]');

const items = (page: Page) => page.locator('#clock-search li');

/** Opens a list, enters a text at once, and waits for what is found first. */
async function search(page: Page, select: 'languageTag' | 'zoneID', text: string, found: string): Promise<void> {
  await page.locator(`[name=${select}]`).focus();
  await page.keyboard.press('ArrowDown');
  await field(page).fill(text);
  await expect.poll(() => active(page).textContent()).toContain(found);
}

describe('the lists of the clock in a browser', () => {
  it('are searched and chosen from by keyboard alone', async () => {
    await clock.visit({}, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type('german (switz');
      await expect.poll(() => active(page).textContent()).toBe('de-CH - German (Switzerland)');
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.locator('[name=languageTag]:focus').waitFor();
      expect(await locale(page).inputValue()).toBe('de-CH');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await field(page).waitFor();
      await page.keyboard.type('tokyo');
      await expect.poll(() => active(page).textContent()).toContain('Asia/Tokyo');
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.waitForLoadState('load');
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
    });
  });

  /** Presses keys in the list of locales while the script for searching is on its way. */
  async function whileLoading(page: Page, press: (page: Page) => Promise<void>): Promise<void> {
    const script = /search-.*\.js$/;
    const arrive = await holdRequests(page, script);
    const requested = page.waitForRequest(script);
    await page.keyboard.press('Tab');
    await requested;
    await press(page);
    arrive();
    // As text, because Vitest would rewrite the import.
    await page.evaluate('import(document.forms[0].dataset.search)');
  }

  it.each([
    ['letters and a space', 'g e r m a n Space ( s w i t z', 'german (switz'],
    ['Enter, which sends nothing that was not seen yet', 'g e r m a n Enter', 'german'],
  ])('accept what is typed before the search is loaded: %s', async (_name, keys, typed) => {
    await clock.visit({}, async (page) => {
      await whileLoading(page, async () => {
        for (const key of keys.split(' ')) await page.keyboard.press(key);
      });
      await expect.poll(() => active(page).textContent()).toContain('German');
      expect(await field(page).inputValue()).toBe(typed);
      await page.keyboard.press('Escape');
      expect(await locale(page).inputValue()).toBe('en-US');
      expect(await page.evaluate(() => performance.getEntriesByType('navigation').length + history.length)).toBe(3);
    });
  });

  it.each([
    ['Escape', 'languageTag'],
    ['Tab', 'zoneID'],
  ])('do not open after %s was pressed before the search was loaded', async (key, focused) => {
    await clock.visit({}, async (page) => {
      await whileLoading(page, async () => {
        await page.keyboard.type('german');
        await page.keyboard.press(key);
      });
      await page.locator(`[name=${focused}]:focus`).waitFor();
      expect(await page.locator('#clock-search').count()).toBe(0);
    });
  });

  it('are searched by tag, names, identifier, city, offset and without accents', async () => {
    await clock.visit({}, async (page) => {
      const found = [
        ['languageTag', 'pt-BR', 'pt-BR - Portuguese (Brazil)'],
        ['languageTag', 'Deutsch (Öst', 'de-AT - German (Austria)'],
        ['languageTag', '日本', 'ja - Japanese'],
        ['languageTag', 'francais (can', 'fr-CA - French (Canada)'],
        ['zoneID', 'new york', 'America/New_York - Eastern Standard Time'],
        ['zoneID', '+5:45', 'Asia/Kathmandu - Nepal Time'],
        ['zoneID', 'UTC-3:30', 'America/St_Johns - Newfoundland Standard Time'],
        ['zoneID', 'central europ', 'Central European Standard Time'],
      ] as const;
      for (const [select, text, option] of found) {
        await search(page, select, text, option);
        await page.keyboard.press('Escape');
        await page.locator(`[name=${select}]:focus`).waitFor();
      }
      expect(await field(page).count()).toBe(0);
      expect(page.url()).toBe(`${clock.url}/clock/time`);
    });
  });

  it('show the whole list at the selected option, and are closed by a click outside', async () => {
    await clock.visit({}, async (page) => {
      await zone(page).click();
      await expect.poll(() => items(page).count()).toBe(632);
      expect(await active(page).textContent()).toBe('UTC - Coordinated Universal Time');
      await page.keyboard.press('ArrowUp');
      const id = await active(page).getAttribute('id');
      expect(await field(page).getAttribute('aria-activedescendant')).toBe(id);
      await page.mouse.click(5, 5);
      expect(await field(page).count()).toBe(0);
      expect(await zone(page).inputValue()).toBe('UTC');
    });
  });

  it.each([
    [
      'light and dark',
      {},
      [
        ['light', 'everything'],
        ['dark', 'colours'],
      ],
    ],
    [
      'narrow, from right to left',
      { viewport: { width: 320, height: 640 }, locale: 'ar-EG' },
      [['light', 'everything']],
    ],
  ] as const)('have no axe violation while they are open: %s', async (_name, options, looks) => {
    await clock.visit(options, async (page) => {
      await zone(page).click();
      await field(page).fill('asia/t');
      await active(page).waitFor();
      await expect.poll(() => items(page).count()).toBeLessThan(30);
      expect(await items(page).count()).toBeGreaterThan(2);
      await shortenLists(page);
      for (const [colorScheme, changed] of looks) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await violations(page, changed)]).toEqual([colorScheme, []]);
      }
    });
  });

  it('are the browser’s own if the script for searching cannot be loaded', async () => {
    await clock.open({}, async (page) => {
      await page.route('**/search-*.js', (route) => route.abort());
      await page.goto(`${clock.url}/clock/time`);
      await zone(page).focus();
      await page.waitForTimeout(500);
      await page.keyboard.type('Asia/Kolk');
      expect(await zone(page).inputValue()).toBe('Asia/Kolkata');
    });
  });
});

describe('below the form', () => {
  const glance = (page: Page) => page.locator('aside');

  it('the zone has its current name, and the difference to the visitor’s own zone', async () => {
    await clock.open({ timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.goto(`${clock.url}/clock/time?zoneID=Asia/Kathmandu`);
      await expect.poll(() => glance(page).textContent()).toBe('Nepal Time = Japan Standard Time -3.25 hours');
      await page.reload();
      expect(await glance(page).textContent()).toBe('Nepal Time = Japan Standard Time -3.25 hours');
    });
  });
});
