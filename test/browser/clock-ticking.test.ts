import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clockInBrowser, date, nextTicks, time, zone } from '../support/clock-in-browser.ts';

const clock = clockInBrowser();

// Each in a window of its own, at the same time: they mostly wait for the next second.
describe.concurrent('the clock in a browser', () => {
  /** A machine that stalls for a second skips one: the next ones are looked at then, twice at most. */
  const whileNothingStalls = (look: () => Promise<void>) => look().catch(look).catch(look);

  it('the clock ticks on the second, with the server’s idea of now', async () => {
    const look = async (page: Page) => {
      const ticks = await nextTicks(page, 3);
      const seconds = ticks.map(({ text }) => Number(/:(\d\d) [AP]M$/.exec(text)?.[1]));
      expect(seconds).toEqual([0, 1, 2].map((step) => ((seconds[0] ?? 0) + step) % 60));
      // The two clocks are the same here, but for what the way to the browser takes.
      for (const [index, { at }] of ticks.entries()) {
        const around = [-400, 400].map((shift) => new Date(at + shift).getUTCSeconds());
        expect(around).toContain(seconds[index]);
      }
    };
    await clock.visit({}, (page) => whileNothingStalls(() => look(page)));
  });

  // In none of these does Chromium write what the server does: it does not know the locale, or not its months, or not its marks of the day.
  const writtenOtherwise = [
    { languageTag: 'gd-GB', zoneID: 'Europe/London' },
    { languageTag: 'kk-KZ', zoneID: 'Asia/Tokyo' },
    { languageTag: 'pa-IN', zoneID: 'Asia/Kolkata' },
    { languageTag: 'ff-Adlm', zoneID: 'Africa/Conakry' },
  ];
  it('the clock ticks as the server writes it, each second, where the browser writes in another way', () =>
    Promise.all(
      writtenOtherwise.map((choice) =>
        clock.visit(
          {},
          async (page) => {
            let asked = 0;
            page.on('request', () => {
              asked += 1;
            });
            const { languageTag, zoneID: timeZone } = choice;
            const writeTime = new Intl.DateTimeFormat(languageTag, { timeStyle: 'medium', timeZone });
            const writeDate = new Intl.DateTimeFormat(languageTag, { dateStyle: 'long', timeZone });
            await whileNothingStalls(async () => {
              const ticks = await nextTicks(page, 4);
              const starts = [-1, 0, 1].map((shift) => (ticks[0]?.at ?? 0) + shift * 1000);
              const expected = starts.map((start) =>
                [0, 1, 2, 3].map((second) => writeTime.format(start + second * 1000)),
              );
              expect(expected).toContainEqual(ticks.map(({ text }) => text));
              expect(starts.map((start) => writeDate.format(start))).toContain(await date(page).textContent());
            });
            // The server is asked when the hour is over, not for every second.
            expect(asked).toBeLessThan(2);
          },
          (page) => clock.choose(page, choice),
        ),
      ),
    ));

  it('the page is shown before its scripts are loaded', async () => {
    await clock.open({ locale: 'en-US', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.route('**/*.js', () => {});
      await page.goto(`${clock.url}/clock/time`, { waitUntil: 'commit' });
      await time(page).waitFor({ state: 'visible', timeout: 30_000 });
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
    });
  });

  it('the page is shown although the server does not answer its script', async ({ expect }) => {
    await clock.open({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.route('**/clock/time*', (route) =>
        route.request().isNavigationRequest() ? route.continue() : undefined,
      );
      await page.goto(`${clock.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 30_000 });
      // The next answer, once there is one, is of the browser's own zone.
      await page.unrouteAll();
      const inTokyo = new Intl.DateTimeFormat('kk-KZ', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' });
      const around = () => [-2, -1, 0, 1].map((shift) => inTokyo.format(Date.now() + shift * 1000));
      await expect.poll(async () => around().includes((await time(page).textContent()) ?? '')).toBe(true);
    });
  });

  it('a wrong clock of the browser does not change the time shown', async () => {
    await clock.open({ locale: 'en-GB', timezoneId: 'UTC' }, async (page) => {
      await page.addInitScript(() => {
        const real = Date.now;
        Date.now = () => real() + 3 * 3_600_000;
      });
      await page.goto(`${clock.url}/clock/time`);
      await page.waitForTimeout(1200);
      const [hours, minutes] = ((await time(page).textContent()) ?? '').split(':').map(Number);
      const now = new Date();
      expect(Math.abs((hours ?? 0) * 60 + (minutes ?? 0) - now.getUTCHours() * 60 - now.getUTCMinutes())).toBeLessThan(
        3,
      );
    });
  });

  /** Hours, minutes and seconds that are at most so far from the clock of this machine. */
  const isNow = (text: string, timeZone = 'UTC', within = 2) =>
    Array.from({ length: 2 * within + 1 }, (_, index) => index - within).some((shift) =>
      new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone })
        .formatToParts(Date.now() + shift * 1000)
        .every(({ type, value }) => type === 'literal' || text.includes(value)),
    );

  it('going back to a cached page shows the current time', async ({ expect }) => {
    await clock.visit({ locale: 'en-GB' }, async (page) => {
      await page.reload();
      await page.goto(`${clock.url}/`);
      await page.waitForTimeout(6000);
      await page.goBack();
      expect(await page.evaluate(() => performance.getEntriesByType('navigation').map((one) => one.toJSON()))).toEqual([
        expect.objectContaining({ type: 'back_forward', transferSize: 0 }),
      ]);
      await expect.poll(async () => isNow((await time(page).textContent()) ?? '')).toBe(true);
    });
  });

  it.each(['en-GB', 'kk-KZ'])(
    'a clock that is set or suspended while the page is open does not change the time shown, in %s',
    async (languageTag) => {
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
            await page.waitForTimeout(2500);
            const minuteAndSecond = /\d+\D+(\d+)\D+(\d+)\D*$/.exec((await time(page).textContent()) ?? '');
            const shown = Number(minuteAndSecond?.[1]) * 60 + Number(minuteAndSecond?.[2]);
            const now = new Date();
            const apart = Math.abs(shown - now.getUTCMinutes() * 60 - now.getUTCSeconds());
            expect(Math.min(apart, 3600 - apart)).toBeLessThan(4);
            const hour = Number(/\d+/.exec((await time(page).textContent()) ?? '')?.[0]) % 12;
            expect([0, 1]).toContain((now.getUTCHours() - hour + 24) % 12);
          }
          expect(asked).toBeLessThan(5);
        },
        (page) => clock.choose(page, { languageTag, zoneID: 'UTC' }),
      );
    },
  );

  it('a choice in another window does not change this one', async ({ expect }) => {
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
        await clock.choose(page, { languageTag: 'kk-KZ', zoneID: 'Asia/Almaty' });
      },
    );
  });

  it('a browser that knows only its offset gets that offset', async () => {
    await clock.open({ locale: 'en-GB', timezoneId: 'GMT+5:30' }, async (page) => {
      await page.goto(`${clock.url}/clock/time`);
      expect(await zone(page).inputValue()).toBe('GMT+05:30');
      await nextTicks(page, 1);
      expect(isNow((await time(page).textContent()) ?? '', 'Asia/Kolkata')).toBe(true);
      await page.reload();
      expect(await zone(page).inputValue()).toBe('GMT+05:30');
    });
  });

  it('an old browser shows the page', async () => {
    await clock.open({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'));
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${clock.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 30_000 });
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
      await nextTicks(page, 2);
      expect(complaints).toEqual([]);
    });
  });

  it('without cookies the page does not reload repeatedly', async () => {
    await clock.open({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
      });
      let visits = 0;
      page.on('framenavigated', () => {
        visits += 1;
      });
      await page.goto(`${clock.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 30_000 });
      await nextTicks(page, 3);
      expect(visits).toBe(1);
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
    });
  });
});
