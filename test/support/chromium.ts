import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The Chromium of this machine, which asks nobody for anything. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that would keep somebody from using the page. */
export async function violations(page: Page): Promise<string[]> {
  // The policy of the page lets no script in, and evaluating one is not affected by it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; help: string }[] }> } };
    return (await axe.run()).violations.map(({ id, help }) => `${id}: ${help}`);
  });
}

/** Whether nothing sticks out to the side. */
export const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
