import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fits, outlines, useChromium, violations } from '../support/chromium.ts';
import { useService } from '../support/in-process.ts';

const service = useService();
const openPage = useChromium();

/** Sends a form from the start page, as a page of ours could. */
async function post(page: Page, form: { action: string; enctype?: string; size?: number }) {
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(({ action, enctype = 'application/x-www-form-urlencoded', size = 1 }) => {
      const sent = Object.assign(document.createElement('form'), { action, enctype, method: 'post' });
      sent.append(
        Object.assign(document.createElement('input'), { type: 'hidden', name: 'a', value: 'b'.repeat(size) }),
      );
      document.body.append(sent);
      sent.submit();
    }, form),
  ]);
}

const heading = (page: Page) => page.locator('h1').textContent();

/** The bean browser is looked at in bean-pages.test.ts. */
const pages: readonly [name: string, title: string, open: (page: Page) => Promise<unknown>][] = [
  ['the start page', 'Jig', async () => {}],
  ['404', 'Not found', (page) => page.goto(`${service.url}/nothing/here`)],
  ['405', 'Method not allowed', (page) => post(page, { action: '/' })],
  ['413', 'Content too large', (page) => post(page, { action: '/clock/time', size: 2 ** 21 })],
  ['415', 'Unsupported media type', (page) => post(page, { action: '/clock/time', enctype: 'text/plain' })],
];

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 320, height: 640 } };
const darkGrey = 'rgb(20, 23, 28)';

describe.each(pages)('%s', (_name, title, open) => {
  it('shows the focus, fits, and axe finds no violation, in light and dark, wide and narrow', async () => {
    await openPage({}, async (page) => {
      await page.goto(service.url);
      await open(page);
      expect(await heading(page)).toBe(title);
      expect(new Set(await outlines(page))).toEqual(new Set(['solid']));
      expect(await page.evaluate(() => document.activeElement?.matches('a'))).toBe(true);
      for (const [name, size] of Object.entries(sizes)) {
        await page.setViewportSize(size);
        for (const [colorScheme, changed] of [
          ['light', 'everything'],
          ['dark', 'colours'],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          const found = await violations(page, changed);
          const seen = { fits: await fits(page), violations: found, isDark: color === darkGrey };
          expect(seen, `${colorScheme} and ${name}`).toEqual({
            fits: true,
            violations: [],
            isDark: colorScheme === 'dark',
          });
        }
      }
    });
  });
});
