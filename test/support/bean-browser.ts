import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { useChromium } from './chromium.ts';

export type Visit = (
  url: string,
  look: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
) => Promise<void>;

/**
 * For a test file: a way to look at a page in Chromium. A visit fails when the page breaks its policy, throws,
 * or loads something from elsewhere.
 */
export function useBrowser(): Visit {
  const open = useChromium();
  return (url, look, options = {}) =>
    open(options, async (page) => {
      const { origin } = new URL(url);
      const problems: string[] = [];
      page.on('request', (request) => {
        const address = request.url();
        if (!address.startsWith(`${origin}/`) && !address.startsWith('data:')) problems.push(`loads ${address}`);
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (/Content Security Policy|TrustedHTML|Trusted Type/.test(message.text())) problems.push(message.text());
      });
      await page.goto(url);
      await look(page);
      expect(problems).toEqual([]);
    });
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
