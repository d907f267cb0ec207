import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fits, launchChromium, violations } from '../support/chromium.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ environment: { ...withoutDatabase, JIG_CLOCK_ZONE: 'UTC' } });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens the clock in a browser of its own; whatever the page complains about in the console fails the test. */
async function visit(options: BrowserContextOptions, look: (page: Page, complaints: string[]) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${service.url}/clock/time`);
    await look(page, complaints);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const locale = (page: Page) => page.locator('[name=languageTag]');
const zone = (page: Page) => page.locator('[name=zoneID]');
const time = (page: Page) => page.locator('h1').first();
const date = (page: Page) => page.locator('h1').last();

/** Chooses as somebody does with the mouse, and waits for the page that follows. */
async function choose(page: Page, select: 'languageTag' | 'zoneID', value: string) {
  await Promise.all([page.waitForEvent('framenavigated'), page.locator(`[name=${select}]`).selectOption(value)]);
  await page.waitForLoadState('load');
}

/** What the clock shows next, so many times, and when. */
function nextTicks(page: Page, count: number): Promise<{ text: string; at: number }[]> {
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

describe('in a browser', () => {
  it('a choice changes the page at once, and is kept', async () => {
    await visit({}, async (page) => {
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

  it('Arabic runs from right to left', async () => {
    await visit({ locale: 'ar-EG' }, async (page) => {
      expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
      const [select, button] = [await locale(page).boundingBox(), await page.locator('button').boundingBox()];
      expect(button?.x).toBeLessThan(select?.x ?? 0);
    });
  });

  it('the clock ticks on the second, with the server’s idea of now', async () => {
    await visit({}, async (page) => {
      const ticks = await nextTicks(page, 3);
      const seconds = ticks.map(({ text }) => Number(/:(\d\d) [AP]M$/.exec(text)?.[1]));
      expect(seconds).toEqual([0, 1, 2].map((step) => ((seconds[0] ?? 0) + step) % 60));
      // The two clocks are the same here, but for what the way to the browser takes.
      for (const [index, { at }] of ticks.entries()) {
        const around = [-400, 400].map((shift) => new Date(at + shift).getUTCSeconds());
        expect(around).toContain(seconds[index]);
      }
    });
  });

  // In none of these does Chromium write what the server does: it does not know the locale, or not its months, or not its marks of the day.
  const writtenOtherwise = [
    { languageTag: 'gd-GB', zoneID: 'Europe/London' },
    { languageTag: 'kk-KZ', zoneID: 'Asia/Tokyo' },
    { languageTag: 'pa-IN', zoneID: 'Asia/Kolkata' },
    { languageTag: 'ff-Adlm', zoneID: 'Africa/Conakry' },
    { languageTag: 'ko-KR', zoneID: 'Asia/Seoul' },
  ];
  // A machine that stalls for a second skips one.
  it(
    'the clock ticks as the server writes it, each second, where the browser writes in another way',
    { retry: 2 },
    () =>
      Promise.all(
        writtenOtherwise.map((choice) =>
          visit({}, async (page) => {
            await page.request.post(`${service.url}/clock/time`, { form: choice });
            await page.reload();
            let asked = 0;
            page.on('request', () => {
              asked += 1;
            });
            const { languageTag, zoneID: timeZone } = choice;
            const writeTime = new Intl.DateTimeFormat(languageTag, { timeStyle: 'medium', timeZone });
            const writeDate = new Intl.DateTimeFormat(languageTag, { dateStyle: 'long', timeZone });
            const ticks = await nextTicks(page, 4);
            const starts = [-1, 0, 1].map((shift) => (ticks[0]?.at ?? 0) + shift * 1000);
            const expected = starts.map((start) =>
              [0, 1, 2, 3].map((second) => writeTime.format(start + second * 1000)),
            );
            expect(expected).toContainEqual(ticks.map(({ text }) => text));
            expect(starts.map((start) => writeDate.format(start))).toContain(await date(page).textContent());
            // The server is asked when the hour is over, not for every second.
            expect(asked).toBeLessThan(2);
          }),
        ),
      ),
  );

  it('the hour is the server’s, also where the browser has other rules for the zone', async () => {
    await visit({}, async (page) => {
      await page.addInitScript(() => {
        const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
        // A browser with other rules: every zone is an hour ahead of what it is.
        Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
          get(this: Intl.DateTimeFormat) {
            const write = format?.get?.call(this) as (instant: number) => string;
            return (instant: number) => write(instant + 3_600_000);
          },
        });
      });
      await choose(page, 'zoneID', 'America/Vancouver');
      await nextTicks(page, 2);
      const write = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', timeZone: 'America/Vancouver' });
      const around = [-2, -1, 0, 1].map((shift) => write.format(Date.now() + shift * 1000));
      expect(around).toContain(await time(page).textContent());
    });
  });

  it('the page is there before the scripts that it loads', async () => {
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Asia/Tokyo' });
    try {
      const page = await context.newPage();
      await page.route('**/*.js', () => {});
      await page.goto(`${service.url}/clock/time`, { waitUntil: 'commit' });
      await time(page).waitFor({ state: 'visible', timeout: 5000 });
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
    } finally {
      await context.close();
    }
  });

  it('the page is there though the server does not answer what its script asks', async () => {
    const context = await browser.newContext({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' });
    try {
      const page = await context.newPage();
      await page.route('**/clock/time', (route) =>
        route.request().isNavigationRequest() ? route.continue() : undefined,
      );
      await page.goto(`${service.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 15_000 });
      // The next answer, once there is one, is of the browser's own zone.
      await page.unrouteAll();
      const inTokyo = new Intl.DateTimeFormat('kk-KZ', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' });
      const around = () => [-2, -1, 0, 1].map((shift) => inTokyo.format(Date.now() + shift * 1000));
      await expect
        .poll(async () => around().includes((await time(page).textContent()) ?? ''), { timeout: 15_000 })
        .toBe(true);
    } finally {
      await context.close();
    }
  });

  it('a clock of the browser that is wrong does not matter', async () => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
    try {
      const page = await context.newPage();
      await page.addInitScript(() => {
        const real = Date.now;
        Date.now = () => real() + 3 * 3_600_000;
      });
      await page.goto(`${service.url}/clock/time`);
      await page.waitForTimeout(1200);
      const [hours, minutes] = ((await time(page).textContent()) ?? '').split(':').map(Number);
      const now = new Date();
      expect(Math.abs((hours ?? 0) * 60 + (minutes ?? 0) - now.getUTCHours() * 60 - now.getUTCMinutes())).toBeLessThan(
        3,
      );
    } finally {
      await context.close();
    }
  });

  /** Hours, minutes and seconds that are at most so far from the clock of this machine. */
  const isNow = (text: string, timeZone = 'UTC', within = 2) =>
    Array.from({ length: 2 * within + 1 }, (_, index) => index - within).some((shift) =>
      new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone })
        .formatToParts(Date.now() + shift * 1000)
        .every(({ type, value }) => type === 'literal' || text.includes(value)),
    );

  it('going back shows the time of now, though the page be the one that was kept', async () => {
    await visit({ locale: 'en-GB' }, async (page) => {
      await page.reload();
      await page.goto(`${service.url}/`);
      await page.waitForTimeout(6000);
      await page.goBack();
      expect(await page.evaluate(() => performance.getEntriesByType('navigation').map((one) => one.toJSON()))).toEqual([
        expect.objectContaining({ type: 'back_forward', transferSize: 0 }),
      ]);
      await expect.poll(async () => isNow((await time(page).textContent()) ?? ''), { timeout: 5000 }).toBe(true);
    });
  });

  it('a clock that is set while the page is open does not matter, nor does one that stood still', async () => {
    for (const languageTag of ['en-GB', 'kk-KZ']) {
      await visit({}, async (page) => {
        await page.request.post(`${service.url}/clock/time`, { form: { languageTag, zoneID: 'UTC' } });
        await page.reload();
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
      });
    }
  });

  it('another choice in another window is not mixed into this one', async () => {
    await visit({}, async (page) => {
      await page.clock.install();
      await page.request.post(`${service.url}/clock/time`, { form: { languageTag: 'kk-KZ', zoneID: 'Asia/Almaty' } });
      await page.reload();
      const other = { languageTag: 'de-DE', zoneID: 'America/New_York' };
      await page.request.post(`${service.url}/clock/time`, { form: other });
      await page.clock.fastForward('01:00:00');
      await expect.poll(() => page.locator('html').getAttribute('lang'), { timeout: 10_000 }).toBe('de-DE');
      expect(await zone(page).inputValue()).toBe('America/New_York');
      expect(await date(page).textContent()).toMatch(/^\d+\. \p{L}+ \d{4}$/u);
    });
  });

  it('a browser that knows only its offset gets that', async () => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'GMT+5:30' });
    try {
      const page = await context.newPage();
      await page.goto(`${service.url}/clock/time`);
      expect(await zone(page).inputValue()).toBe('GMT+05:30');
      await nextTicks(page, 1);
      expect(isNow((await time(page).textContent()) ?? '', 'Asia/Kolkata')).toBe(true);
      await page.reload();
      expect(await zone(page).inputValue()).toBe('GMT+05:30');
    } finally {
      await context.close();
    }
  });

  it('an old browser shows the page as well', async () => {
    const context = await browser.newContext({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' });
    try {
      const page = await context.newPage();
      await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'));
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${service.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 15_000 });
      expect(await zone(page).inputValue()).toBe('Asia/Tokyo');
      await nextTicks(page, 2);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  });

  it('without cookies the page does not load itself again and again', async () => {
    const context = await browser.newContext({ locale: 'kk-KZ', timezoneId: 'Asia/Tokyo' });
    try {
      const page = await context.newPage();
      await page.addInitScript(() => {
        Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
      });
      let visits = 0;
      page.on('framenavigated', () => {
        visits += 1;
      });
      await page.goto(`${service.url}/clock/time`);
      await time(page).waitFor({ state: 'visible', timeout: 15_000 });
      await nextTicks(page, 3);
      expect(visits).toBe(1);
      expect(await zone(page).inputValue()).toBe('UTC');
    } finally {
      await context.close();
    }
  });

  it('shows the browser’s own zone from the first visit on, without showing another before', async () => {
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Asia/Tokyo' });
    try {
      const page = await context.newPage();
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
      await page.goto(`${service.url}/clock/time`);
      await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length >= 20);
      expect(new Set(await page.evaluate(() => (window as unknown as { seen: string[] }).seen))).toEqual(
        new Set(['Asia/Tokyo']),
      );
      const fromServer = await context.request.get(`${service.url}/clock/time`);
      expect(await fromServer.text()).toContain('<option value="Asia/Tokyo" selected="selected">');
      await choose(page, 'zoneID', 'Europe/Paris');
      await page.reload();
      expect(await zone(page).inputValue()).toBe('Europe/Paris');
    } finally {
      await context.close();
    }
  });

  it('the keyboard is enough', async () => {
    await visit({}, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => (document.activeElement as HTMLSelectElement).name)).toBe('zoneID');
      await page.keyboard.type('Asia/Kolk');
      expect(await zone(page).inputValue()).toBe('Asia/Kolkata');
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
    await visit({ javaScriptEnabled: false }, async (page) => {
      await locale(page).selectOption('th-TH');
      await zone(page).selectOption('Asia/Bangkok');
      await page.locator('button').click();
      await page.waitForLoadState('load');
      expect(await date(page).textContent()).toMatch(/^\d{1,2} \S+ 25\d\d$/);
      expect(await zone(page).inputValue()).toBe('Asia/Bangkok');
    });
  });

  it.each([
    ['light, wide', { viewport: { width: 1280, height: 800 } }],
    ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['320 px', { viewport: { width: 320, height: 640 } }],
    ['320 px, Arabic, dark', { viewport: { width: 320, height: 640 }, locale: 'ar-EG', colorScheme: 'dark' }],
    ['4K', { viewport: { width: 3840, height: 2160 } }],
  ] as const)('fits, and axe finds nothing to complain about: %s', async (_name, options) => {
    await visit(options, async (page) => {
      expect(await fits(page)).toBe(true);
      expect(await violations(page)).toEqual([]);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background === 'rgb(33, 37, 41)').toBe('colorScheme' in options);
    });
  });

  it('zooming makes everything larger, on wide screens too', async () => {
    const sizes = async (width: number) => {
      let found: number[] = [];
      await visit({ viewport: { width, height: 1000 } }, async (page) => {
        found = await page
          .locator('h1, select, footer')
          .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
      });
      return found;
    };
    for (const width of [1280, 1920, 2560, 3840]) {
      const [whole, half] = [await sizes(width), await sizes(width / 2)];
      for (const [index, size] of whole.entries()) expect((half[index] ?? 0) * 2).toBeGreaterThan(size * 1.15);
    }
  });

  it('the focus is seen where colours are forced', async () => {
    await visit({ forcedColors: 'active' }, async (page) => {
      for (const control of ['languageTag', 'zoneID', '']) {
        await page.keyboard.press('Tab');
        const [name, width, style] = await page.evaluate(() => {
          const { outlineWidth, outlineStyle } = getComputedStyle(document.activeElement as Element);
          return [document.activeElement?.getAttribute('name') ?? '', outlineWidth, outlineStyle];
        });
        expect([name, width, style]).toEqual([control, '3px', 'solid']);
      }
    });
  });

  it('an alert says what was not understood, and axe does not mind it', async () => {
    await visit({}, async (page) => {
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
      expect(await violations(page)).toEqual([]);
    });
  });
});
