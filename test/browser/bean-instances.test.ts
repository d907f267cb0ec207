import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../instances/start-application.ts';
import { useBrowser } from '../support/bean-browser.ts';
import { fits, violations } from '../support/chromium.ts';

let application: Application;
const visit = useBrowser();

beforeAll(async () => {
  application = await startApplication('cluster', { arguments: ['4'] });
});
afterAll(() => application?.[Symbol.asyncDispose]());

it('a page without an instance in its address reads rows and changes from the instance that rendered it', async () => {
  await visit(`${application.url}/jig/bean/big.html?levels=1`, async (page) => {
    const [, instance] = /^\/jig\/@([^/]+)\/bean\/big.html$/.exec(new URL(page.url()).pathname) ?? [];
    expect(instance).toBeDefined();
    const others: string[] = [];
    page.on('response', (answer) => {
      if (answer.headers()['jig-instance'] !== instance) others.push(answer.url());
    });
    await page.locator('#tree .twist').first().click();
    await page.getByText('text 3 of').waitFor();
    await Promise.all([
      page.waitForResponse((answer) => answer.headers()['content-type'] === 'text/event-stream'),
      page.getByRole('switch', { name: 'Live' }).click(),
    ]);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Keep a snapshot now' }).click();
    await page.getByText(/of \d+ beans differ/).waitFor();
    expect(others).toEqual([]);
  });
});

it('the menu leads to the same part of another instance, and to the comparison of all', async () => {
  await visit(`${application.url}/jig/bean/who.html?at=/limit`, async (page) => {
    await page.locator('.instances > summary').click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: /worker 2/ }).click();
    expect(new URL(page.url()).searchParams.get('at')).toBe('/limit');
    await page.getByText('10', { exact: true }).waitFor();
    await page.locator('.instances > summary').click();
    await page.getByRole('link', { name: 'All, side by side' }).click();
    await page.getByText('1 of 1 value differ in the 4 instances that answered.').waitFor();
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await fits(page)).toBe(true);
    }
  });
});

it('all instances are on a page, each with its beans', async () => {
  await visit(`${application.url}/jig/instances`, async (page) => {
    const links = page.getByRole('table').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['worker 1', 'worker 2', 'worker 3', 'worker 4']);
    expect(await page.getByText('this one', { exact: true }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await fits(page)).toBe(true);
    }
    await links.nth(2).click();
    expect(await page.locator('.instances > summary').innerText()).toContain('worker 3');
  });
});
