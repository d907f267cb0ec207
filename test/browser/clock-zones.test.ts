import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clockInBrowser, date, nextTicks, time, zone } from '../support/clock-in-browser.ts';

const clock = clockInBrowser();
const hour = 3_600_000;

/** A browser with other rules than the server: from an instant on, every zone but UTC is an hour ahead of what it is. */
const withOtherRules = (page: Page, from = 0) =>
  page.addInitScript(
    ({ from, hour }) => {
      const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
        get(this: Intl.DateTimeFormat) {
          const write = format?.get?.call(this) as (instant: number) => string;
          const { timeZone } = this.resolvedOptions();
          return (instant: number) => write(timeZone !== 'UTC' && instant >= from ? instant + hour : instant);
        },
      });
    },
    { from, hour },
  );

/** A server whose rules set every clock an hour forward at an instant; the browser's know nothing of it. */
async function withChangeOnServer(page: Page, change: number): Promise<{ asked: number }> {
  const seen = { asked: 0 };
  await page.route('**/clock/time*', async (route) => {
    const answer = await route.fetch();
    seen.asked += 1;
    const body = await answer.text();
    const isTexts = route.request().url().includes('.json');
    await route.fulfill({ response: answer, body: isTexts ? changedTexts(body, change) : changedPage(body, change) });
  });
  return seen;
}

function changedPage(body: string, change: number): string {
  if (Number(/data-now="(\d+)"/.exec(body)?.[1]) < change) {
    return body.replace(/data-until="\d+"/, `data-until="${change}"`);
  }
  return body
    .replace(/data-offset="(-?\d+)"/, (_, offset: string) => `data-offset="${Number(offset) + hour}"`)
    .replace(/(<h1[^>]*>)(\d+)/, (_, tag: string, hours: string) => `${tag}${twoDigits((Number(hours) + 1) % 24)}`);
}

function changedTexts(body: string, change: number): string {
  const texts = JSON.parse(body) as { now: number; offset: number; until: number };
  return JSON.stringify(texts.now < change ? { ...texts, until: change } : { ...texts, offset: texts.offset + hour });
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Hours, minutes and seconds of a day, `ahead` of UTC, around now. */
function around(ahead: number): string[] {
  return [-2, -1, 0, 1].map((shift) => {
    const local = new Date(Date.now() + ahead + shift * 1000);
    return [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(twoDigits).join(':');
  });
}

// Chromium knows British English and not Kazakh; both write 24 hours.
const locales = ['en-GB', 'kk-KZ'];

/** A full second that leaves time to load the page before it. */
const soon = () => Math.ceil(Date.now() / 1000) * 1000 + 5000;

/** The hour that the clock shows at each of its next ticks, with the second at which it was shown. */
async function hoursUntil(page: Page, instant: number): Promise<{ hours: number; at: number }[]> {
  const left = Math.max(1, Math.ceil((instant - Date.now()) / 1000));
  return (await nextTicks(page, left)).map(({ text, at }) => ({ hours: Number(/\d+/.exec(text)?.[0]), at }));
}

// Each in a window of its own, at the same time: they mostly wait for the next second.
describe.concurrent('the clock in a browser whose rules for time zones are not the server’s', () => {
  it.each(locales)('shows the server’s hour in %s', async (languageTag) => {
    await clock.visit(
      {},
      async (page) => {
        await nextTicks(page, 2);
        // Seven hours behind all year, since 2026.
        expect(around(-7 * hour)).toContain(await time(page).textContent());
      },
      async (page) => {
        await withOtherRules(page);
        await clock.choose(page, { languageTag, zoneID: 'America/Vancouver' });
      },
    );
  });

  it('shows the server’s hour on the first visit, in the browser’s own zone', async ({ expect }) => {
    await clock.open({ locale: 'en-GB', timezoneId: 'America/Vancouver' }, async (page) => {
      await withOtherRules(page);
      await page.goto(`${clock.url}/clock/time`);
      expect(await zone(page).inputValue()).toBe('America/Vancouver');
      await expect.poll(async () => around(-7 * hour).includes((await time(page).textContent()) ?? '')).toBe(true);
      await nextTicks(page, 2);
      expect(around(-7 * hour)).toContain(await time(page).textContent());
    });
  });

  it('shows the browser’s own zone where cookies are off', async () => {
    await clock.open({ locale: 'en-GB', timezoneId: 'Asia/Tokyo' }, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
      });
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().includes('/clock/time')) asked += 1;
      });
      await page.goto(`${clock.url}/clock/time`);
      await nextTicks(page, 4);
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
      expect(around(9 * hour)).toContain(await time(page).textContent());
      // Once for the page, once for what the server knows of the zone.
      expect(asked).toBe(2);
    });
  });

  it.each(locales)('does not follow a change that only the browser knows, in %s', async (languageTag) => {
    let change = 0;
    await clock.visit(
      {},
      async (page) => {
        await hoursUntil(page, change + 2000);
        expect(Date.now()).toBeGreaterThan(change);
        expect(around(9 * hour)).toContain(await time(page).textContent());
      },
      async (page) => {
        await clock.choose(page, { languageTag, zoneID: 'Asia/Tokyo' });
        change = soon();
        await withOtherRules(page, change);
      },
    );
  });

  it.for(locales)(
    'follows a change that only the server knows, when it comes, in %s',
    async (languageTag, { expect }) => {
      let change = 0;
      let seen = { asked: 0 };
      await clock.visit(
        {},
        async (page) => {
          const hours = await hoursUntil(page, change + 3000);
          // A machine under load hears of it a moment later.
          const hourAt = (at: number) => new Date(at + 9 * hour + (at < change ? 0 : hour)).getUTCHours();
          for (const { hours: shown, at } of hours.filter((tick) => Math.abs(tick.at - change) > 1500)) {
            // At the turn of an hour, the two clocks may be a few milliseconds apart.
            expect([hourAt(at - 1000), hourAt(at + 1000)], `${at - change} ms after the change`).toContain(shown);
          }
          await expect.poll(async () => around(10 * hour).includes((await time(page).textContent()) ?? '')).toBe(true);
          // For the page, for the clock's difference, and for the change; not for every second.
          expect(seen.asked).toBeLessThan(6);
        },
        async (page) => {
          await clock.choose(page, { languageTag, zoneID: 'Asia/Tokyo' });
          change = soon();
          seen = await withChangeOnServer(page, change);
        },
      );
    },
  );

  it('shows the date of the server’s zone', async () => {
    await clock.visit(
      {},
      async (page) => {
        await nextTicks(page, 1);
        const local = new Date(Date.now() + 14 * hour);
        expect(await date(page).textContent()).toContain(`${local.getUTCDate()}, ${local.getUTCFullYear()}`);
      },
      async (page) => {
        await withOtherRules(page);
        await clock.choose(page, { languageTag: 'en-US', zoneID: 'Pacific/Kiritimati' });
      },
    );
  });
});
