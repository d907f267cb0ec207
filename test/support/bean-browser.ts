import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

export type Visit = (
  url: string,
  look: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
) => Promise<void>;

/**
 * For a test file: one Chromium, and a way to look at a page in it. A visit fails when the page breaks its policy, throws,
 * or loads something from elsewhere.
 */
export function useBrowser(): Visit {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return async (url, look, options = {}) => {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    // Before the test itself has taken too long, so that what was waited for is named.
    context.setDefaultTimeout(60_000);
    const { origin } = new URL(url);
    const problems: string[] = [];
    context.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(`${origin}/`) && !address.startsWith('data:')) problems.push(`loads ${address}`);
    });
    context.on('weberror', (error) => problems.push(String(error.error())));
    context.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|Trusted Type/.test(message.text())) problems.push(message.text());
    });
    try {
      const page = await context.newPage();
      await page.goto(url);
      await look(page);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  };
}

/** The keys of the rows of a tree, in order. */
export const treeKeys = (page: Page) => page.locator('#tree tbody tr .key b').allTextContents();

/** The row of a key; the first of them. */
export const treeRow = (page: Page, key: string) =>
  page
    .locator('#tree tbody tr')
    .filter({ has: page.locator('.key b').getByText(key, { exact: true }) })
    .first();

/** The key of the row that has the focus. */
export const focusedKey = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.querySelector(':scope > .key b')?.textContent ?? document.activeElement?.tagName,
  );
