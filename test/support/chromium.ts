import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // One for each context.
  '--renderer-process-limit=1',
];

/** The same engine without the windows around it needs half the processor's time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The Chromium of this machine, which asks nobody for anything. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? installed.find((path) => existsSync(path));
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: flags });
}

export type OpenPage = (options: BrowserContextOptions, look: (page: Page) => Promise<void>) => Promise<void>;

/**
 * For a test file: one Chromium, and a way to look at an empty page in it, as somebody who has not been anywhere yet, in UTC.
 * Those with the same options come one after another to the same context, whose process is warm: that takes a third less.
 */
export function useChromium(): OpenPage {
  let browser: Browser;
  /** What was looked at last in each context that is free, by the options of the context. */
  const free = new Map<string, Page[]>();

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  return async (options, look) => {
    const key = JSON.stringify(options);
    const last = free.get(key)?.pop();
    const context = last?.context() ?? (await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options }));
    let page: Page | undefined;
    try {
      // Before the test itself has taken too long, so that what was waited for is named.
      context.setDefaultTimeout(300_000);
      await context.clearCookies();
      page = await context.newPage();
      // Not before: its process would end with it.
      await last?.close();
      await look(page);
      free.set(key, [...(free.get(key) ?? []), page]);
    } catch (error) {
      if (error instanceof Error && page !== undefined) error.message += `\n${await shownBy(page)}`;
      await context.close();
      throw error;
    }
  };
}

/** What somebody sees who looks at a page where a test has failed. */
async function shownBy(page: Page): Promise<string> {
  const text = await page.innerText('body', { timeout: 5000 }).catch((error: Error) => `nothing, ${error.message}`);
  return `The page ${page.url()} shows:\n${text.slice(0, longestShown)}`;
}

const longestShown = 2000;

/**
 * Holds up what a page asks for until it is released. The page is loaded again for that: requests of one that is open
 * go past Playwright for a moment, and it does not even tell of them.
 */
export async function holdRequests(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  return release;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds that would keep somebody from using the page: in everything, or only in its colours, where nothing
 * else has changed since everything was looked at.
 */
export async function violations(page: Page, of: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  // The policy of the page lets no script in, and evaluating one is not affected by it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (asked) => {
    interface Axe {
      run(options: object): Promise<{ violations: { id: string; help: string }[] }>;
    }
    const { axe } = window as unknown as { axe: Axe };
    const rules = asked === 'colours' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
    // Where each element is that passed would be much of the work; and only an experimental rule reads the style sheets.
    const quick = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } };
    const found = await axe.run({ ...rules, ...quick });
    return found.violations.map(({ id, help }) => `${id}: ${help}`);
  }, of);
}

/** Whether nothing sticks out to the side. */
export const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** How each stop of Tab shows that it has the focus. */
export async function outlines(page: Page): Promise<string[]> {
  const stops = await page.locator('a:visible, button:visible, input:visible').count();
  const seen: string[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle));
  }
  return seen;
}
