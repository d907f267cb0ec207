import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The same engine without the windows around it needs half the processor's time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The Chromium of this machine, which asks nobody for anything. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? installed.find((path) => existsSync(path));
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: flags });
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
    // Where each element is that passed would be much of the work.
    const found = await axe.run({ ...rules, resultTypes: ['violations'], selectors: false });
    return found.violations.map(({ id, help }) => `${id}: ${help}`);
  }, of);
}

/** Whether nothing sticks out to the side. */
export const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
