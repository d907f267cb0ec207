import { describe, expect, it } from 'vitest';
import { fits, violations } from '../support/chromium.ts';
import { choose, clockInBrowser, date, locale, shortenLists, zone } from '../support/clock-in-browser.ts';

const clock = clockInBrowser();

describe('in a browser', () => {
  it('a choice changes the page at once and survives a reload', async () => {
    await clock.visit({}, async (page) => {
      await choose(page, 'languageTag', 'ja-JP');
      expect(await page.locator('html').getAttribute('lang')).toBe('ja-JP');
      expect(await date(page).textContent()).toMatch(/^\d{4}年\d{1,2}月\d{1,2}日$/);
      await choose(page, 'zoneID', 'Asia/Kolkata');
      await page.reload();
      expect(await locale(page).inputValue()).toBe('ja-JP');
      expect(await zone(page).inputValue()).toBe('Asia/Kolkata');
      expect(await zone(page).locator('option:checked').textContent()).toBe('Asia/Kolkata - インド標準時');
    });
  });

  it('the first visit shows the zone of the browser from the start', async () => {
    await clock.open({ locale: 'en-US', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.addInitScript(() => {
        const seen: string[] = [];
        Object.assign(window, { seen });
        const watch = () => {
          const heading = document.querySelector('h1');
          const isVisible = heading && getComputedStyle(heading).visibility === 'visible';
          if (isVisible) seen.push((document.querySelector('[name=zoneID]') as HTMLSelectElement | null)?.value ?? '');
          if (seen.length < 20) requestAnimationFrame(watch);
        };
        requestAnimationFrame(watch);
      });
      await page.goto(`${clock.url}/clock/time`);
      await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length >= 20);
      expect(new Set(await page.evaluate(() => (window as unknown as { seen: string[] }).seen))).toEqual(
        new Set(['Asia/Tokyo']),
      );
      const fromServer = await page.context().request.get(`${clock.url}/clock/time`);
      expect(await fromServer.text()).toContain('<option value="Asia/Tokyo" selected="selected">');
      await choose(page, 'zoneID', 'Europe/Paris');
      await page.reload();
      expect(await zone(page).inputValue()).toBe('Europe/Paris');
    });
  });

  it('every control works by keyboard', async () => {
    await clock.visit({}, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => (document.activeElement as HTMLSelectElement).name)).toBe('zoneID');
      await page.keyboard.type('Asia/Kolk');
      await page.locator('[role=option][aria-selected=true]', { hasText: 'Asia/Kolkata' }).waitFor();
      // Typing does not send the form by itself: that would take the page away while one is still typing.
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.waitForLoadState('load');
      expect(await page.locator('.jumbotron').getAttribute('data-chosen')).toBe('true');
      expect(await zone(page).inputValue()).toBe('Asia/Kolkata');
      // One goes on where one was, also when no other key came before.
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.locator('[name=zoneID]:focus').waitFor();
      await page.keyboard.press('Tab');
      const button = page.locator('button:focus');
      await page.locator('.tooltip').waitFor();
      expect(await page.locator('.tooltip').textContent()).toBe('Refresh');
      expect(await button.getAttribute('aria-describedby')).toBeNull();
      await page.keyboard.press('Escape');
      await page.locator('.tooltip').waitFor({ state: 'detached' });
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await button.waitFor();
    });
  });

  it('everything works without JavaScript', async () => {
    await clock.visit({ javaScriptEnabled: false }, async (page) => {
      await locale(page).selectOption('th-TH');
      await zone(page).selectOption('Asia/Bangkok');
      await page.locator('button').click();
      await page.waitForLoadState('load');
      expect(await date(page).textContent()).toMatch(/^\d{1,2} \S+ 25\d\d$/);
      expect(await zone(page).inputValue()).toBe('Asia/Bangkok');
    });
  });

  const wide = { width: 1280, height: 800 };
  const narrow = { width: 320, height: 640 };
  it.each([
    [
      'light and dark, wide, narrow and 4K',
      'en-US',
      [
        [wide, 'light', 'everything'],
        [wide, 'dark', 'colours'],
        [narrow, 'light', 'everything'],
        [{ width: 3840, height: 2160 }, 'light', 'everything'],
      ],
    ],
    ['narrow, Arabic, dark', 'ar-EG', [[narrow, 'dark', 'everything']]],
  ] as const)('fits, and axe finds no violation: %s', async (_name, language, looks) => {
    await clock.visit({ locale: language }, async (page) => {
      for (const [size] of looks) {
        await page.setViewportSize(size);
        expect([size, await fits(page)]).toEqual([size, true]);
      }
      await shortenLists(page);
      for (const [size, colorScheme, changed] of looks) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        expect([size, colorScheme, await violations(page, changed)]).toEqual([size, colorScheme, []]);
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(background === 'rgb(20, 23, 28)').toBe(colorScheme === 'dark');
      }
    });
  });

  it('an alert names the value that was not understood, and axe finds no violation', async () => {
    await clock.visit({}, async (page) => {
      await page.evaluate(() =>
        fetch('/clock/time', {
          method: 'POST',
          body: new URLSearchParams({ languageTag: '<b>klingon</b>', zoneID: 'Mars/Olympus' }),
        }),
      );
      await page.reload();
      expect(await page.getByRole('alert').allTextContents()).toEqual([
        expect.stringContaining('<b>klingon</b>'),
        expect.stringContaining('Mars/Olympus'),
      ]);
      await shortenLists(page);
      expect(await violations(page)).toEqual([]);
    });
  });
});
