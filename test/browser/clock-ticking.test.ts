import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clockInBrowser, date, nextTicks, time, zone } from '../support/clock-in-browser.ts';

const clock = clockInBrowser();
const hour = 3_600_000;

/** What the clock may show now: the times of a few seconds around. */
function around(languageTag: string, timeZone: string, seconds = [-2, -1, 0, 1]): string[] {
  const format = new Intl.DateTimeFormat(languageTag, { timeStyle: 'medium', timeZone });
  return seconds.map((second) => format.format(Date.now() + second * 1000));
}

const shown = async (page: Page) => (await time(page).textContent()) ?? '';

/** A server whose rules set every clock an hour forward three seconds after it sent a page, which knows only when. */
async function withChangeOnServer(page: Page): Promise<void> {
  let change = 0;
  await page.route('**/clock/time*', async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const isTexts = route.request().url().includes('.json');
    if (!isTexts) {
      change = Math.ceil(Date.now() / 1000) * 1000 + 3000;
      return route.fulfill({ response: answer, body: text.replace(/data-until="\d+"/, `data-until="${change}"`) });
    }
    const texts = JSON.parse(text) as { now: number; offset: number; until: number };
    const changed = texts.now < change ? { ...texts, until: change } : { ...texts, offset: texts.offset + hour };
    return route.fulfill({ response: answer, body: JSON.stringify(changed) });
  });
}

const withoutCookies = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
  });

// Each in a window of its own, at the same time: they mostly wait for the next second.
describe.concurrent('the clock in a browser', () => {
  /** A machine that stalls for a second skips one: the next ones are looked at then, twice at most. */
  const whileNothingStalls = (look: () => Promise<void>) => look().catch(look).catch(look);

  it('ticks on the second, by the server’s clock', async () => {
    const look = async (page: Page) => {
      const ticks = await nextTicks(page, 3);
      const seconds = ticks.map(({ text }) => Number(/:(\d\d) [AP]M$/.exec(text)?.[1]));
      expect(seconds).toEqual([0, 1, 2].map((step) => ((seconds[0] ?? 0) + step) % 60));
      // The two clocks are the same here, but for what the way to the browser takes.
      for (const [index, { at }] of ticks.entries())
        expect([-400, 400].map((shift) => new Date(at + shift).getUTCSeconds())).toContain(seconds[index]);
    };
    await clock.visit({}, (page) => whileNothingStalls(() => look(page)));
  });

  // In none of these does Chromium write what the server does: it does not know the locale, or not its months or marks of the day.
  it.each([
    ['kk-KZ', 'Asia/Tokyo'],
    ['ff-Adlm', 'Africa/Conakry'],
  ])('shows the server’s format where the browser’s differs: %s', async (languageTag, timeZone) => {
    await clock.visit(
      {},
      async (page) => {
        const writeDate = new Intl.DateTimeFormat(languageTag, { dateStyle: 'long', timeZone });
        await whileNothingStalls(async () => {
          for (const { text, at } of await nextTicks(page, 3)) {
            const late = Date.now() - at;
            const seconds = [-2, -1, 0, 1].map((second) => second - Math.round(late / 1000));
            const possible = around(languageTag, timeZone, seconds);
            expect(possible.map(spaceless)).toContain(spaceless(text));
          }
          const dates = [-2000, 0].map((shift) => writeDate.format(Date.now() + shift));
          expect(dates).toContain(await date(page).textContent());
        });
      },
      (page) => clock.choose(page, { languageTag, zoneID: timeZone }),
    );
  });
  const spaceless = (text: string) => text.replace(/\s/g, '');

  it('is shown before the scripts are loaded, in the zone of the browser', async () => {
    await clock.open({ locale: 'en-US', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.route('**/*.js', () => {});
      await page.goto(`${clock.url}/clock/time`, { waitUntil: 'commit' });
      await time(page).waitFor({ state: 'visible' });
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
    });
  });

  it('is shown although the server does not answer the script', async ({ expect }) => {
    await clock.open({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.route('**/clock/time*', (route) =>
        route.request().isNavigationRequest() ? route.continue() : undefined,
      );
      await page.goto(`${clock.url}/clock/time`);
      await time(page).waitFor({ state: 'visible' });
      // The next answer, once there is one, is of the browser's own zone.
      await page.unrouteAll();
      await expect.poll(async () => around('kk-KZ', 'Asia/Tokyo').includes(await shown(page))).toBe(true);
    });
  });

  it('is correct after the computer slept or its clock was set', async ({ expect }) => {
    await clock.visit(
      {},
      async (page) => {
        let asked = 0;
        page.on('request', () => {
          asked += 1;
        });
        for (const hours of [2, -2]) {
          await page.evaluate((shift) => {
            const real = Date.now;
            Date.now = () => real() + shift * 3_600_000;
          }, hours);
          await page.waitForTimeout(1500);
          await expect.poll(async () => around('en-GB', 'UTC').includes(await shown(page))).toBe(true);
        }
        expect(asked).toBeLessThan(5);
      },
      (page) => clock.choose(page, { languageTag: 'en-GB', zoneID: 'UTC' }),
    );
  });

  it('follows a choice in another window within an hour', async ({ expect }) => {
    await clock.visit(
      // As no other test has it: the context is used again, and its clock stays the wrong one.
      { locale: 'en-NZ' },
      async (page) => {
        await clock.choose(page, { languageTag: 'de-DE', zoneID: 'America/New_York' });
        await page.clock.fastForward('01:00:00');
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de-DE');
        expect(await zone(page).inputValue()).toBe('America/New_York');
        expect(await date(page).textContent()).toMatch(/^\d+\. \p{L}+ \d{4}$/u);
      },
      async (page) => {
        await page.clock.install();
        await clock.choose(page, { languageTag: 'en-GB', zoneID: 'Asia/Almaty' });
      },
    );
  });

  it('follows a zone change that only the server knows', async ({ expect }) => {
    await clock.visit(
      {},
      async (page) => {
        // An hour ahead of Tokyo.
        await expect.poll(async () => around('en-GB', 'Asia/Vladivostok').includes(await shown(page))).toBe(true);
      },
      async (page) => {
        await clock.choose(page, { languageTag: 'en-GB', zoneID: 'Asia/Tokyo' });
        await withChangeOnServer(page);
      },
    );
  });

  it('shows the hour by the server’s newer zone rules', async ({ expect }) => {
    await clock.open({ locale: 'en-GB', timezoneId: 'America/Vancouver' }, async (page) => {
      await page.goto(`${clock.url}/clock/time`);
      expect(await zone(page).inputValue()).toBe('America/Vancouver');
      // Seven hours behind all year, since 2026.
      await expect.poll(async () => around('en-GB', 'Etc/GMT+7').includes(await shown(page))).toBe(true);
    });
  });

  it('shows the zone of the browser when cookies are off, and loads the page once', async ({ expect }) => {
    await clock.open({ locale: 'en-GB', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await withoutCookies(page);
      let visits = 0;
      page.on('framenavigated', () => {
        visits += 1;
      });
      await page.goto(`${clock.url}/clock/time`);
      await nextTicks(page, 2);
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
      await expect.poll(async () => around('en-GB', 'Asia/Tokyo').includes(await shown(page))).toBe(true);
      expect(visits).toBe(1);
    });
  });
});
