import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { treeRow, useBrowser } from '../support/bean-browser.ts';
import { fits, outlines, violations } from '../support/chromium.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

const visit = useBrowser();
let served: ServedBeans | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

/** Like that of pg, with another number. */
const makePool = () => ({
  _clients: [{}, {}] as object[],
  _idle: [{}],
  _pendingQueue: [] as object[],
  options: { max: 4 },
  numbers: { 'number 3': 3 },
});

async function start(watch: Parameters<typeof serveBeans>[1] = {}) {
  const pool = makePool();
  served = await serveBeans({ pool }, watch);
  return { pool, url: served.url };
}

const cards = (page: Page) => page.locator('.plot');
const card = (page: Page, title: string) =>
  cards(page).filter({ has: page.getByRole('heading', { name: title, exact: true }) });

const stop = (page: Page, value: string) => page.getByRole('button', { name: `Stop watching ${value}` });

/** As in another window. */
const stopElsewhere = (address: Record<string, string>) =>
  fetch(`${served?.url}/jig/watch?${new URLSearchParams(address)}`, { method: 'DELETE' });

/** As everybody: light, dark, narrow, right to left. */
async function looksRight(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, 'colours')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await fits(page)).toBe(true);
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  expect(await fits(page)).toBe(true);
}

describe('the page of recorded values', () => {
  it('shows six values of the process at first, and updates them', async () => {
    const { url } = await start();
    await visit(`${url}/jig/watch`, async (page) => {
      expect(await cards(page).count()).toBe(6);
      expect(await page.getByRole('switch', { name: 'Live' }).getAttribute('aria-checked')).toBe('true');
      await expect.poll(() => page.locator('.trace').count()).toBe(6);
      const memory = card(page, 'Resident memory');
      expect(await memory.locator('.reading').textContent()).toMatch(/^[\d.]+ [MG]B/);
      expect(await memory.getByRole('img', { name: /^Resident memory of process, the last 5 minutes/ }).count()).toBe(
        1,
      );
      const seen = await page.locator('#watched').innerText();
      await expect.poll(() => page.locator('#watched').innerText()).not.toBe(seen);
      expect(new Set(await outlines(page))).not.toContain('none');
      await page.getByRole('switch', { name: 'Live' }).click();
      await looksRight(page);
    });
  });

  it('shows one value large, with its limit and its crossings', async () => {
    const { pool, url } = await start();
    await visit(`${url}/jig/bean/pool.html`, async (page) => {
      await page.getByRole('button', { name: 'Watch Waiting' }).click();
      await page.getByRole('link', { name: '1 watched' }).click();
      await card(page, 'Waiting').getByRole('link', { name: 'Set a limit' }).click();
      await page.getByLabel('When it is over').fill('2');
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await page.getByLabel('When it is over').inputValue()).toBe('2');
      expect(await page.locator('.draw text').textContent()).toBe('limit 2');
      pool._pendingQueue.push({}, {}, {});
      const row = page.getByRole('table', { name: '' }).locator('tbody tr').first();
      await expect.poll(() => page.locator('.crossings').count()).toBe(1);
      expect(await row.textContent()).toContain('over 2');
      await page.locator('.plot .tag.warn').waitFor();
      await page.locator('.crossed').waitFor();
      await expect.poll(() => page.locator('.told-cell').textContent()).toContain('Kept a snapshot.');
      await page.getByRole('switch', { name: 'Live' }).click();
      await looksRight(page);
      await page.getByRole('link', { name: 'Compare', exact: true }).last().click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Compare');
    });
  });

  it('keeps the focus on the button of the same value when another one is removed', async () => {
    const { url } = await start();
    await visit(`${url}/jig/watch`, async (page) => {
      const names = () => stop(page, '').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
      const before = await names();
      await stop(page, 'Resident memory of process').focus();
      await stopElsewhere({ bean: 'process', reading: 'cpu' });
      await stop(page, 'Cpu of process').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await stop(page, 'Resident memory of process').waitFor({ state: 'detached' });
      expect(await names()).toEqual(before.filter((name) => !/CPU|Resident memory/.test(name ?? '')));
    });
  });

  it('does all of it without JavaScript', async () => {
    const { pool, url } = await start();
    await visit(
      `${url}/jig/bean/pool.html`,
      async (page) => {
        await page.getByRole('button', { name: 'Watch Idle' }).click();
        expect(page.url()).toBe(`${url}/jig/bean/pool.html`);
        expect(await page.getByRole('button', { name: 'Watch Idle' }).getAttribute('aria-pressed')).toBe('true');
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watch' }).click();
        pool._idle = [];
        await page.getByRole('link', { name: 'Live' }).click();
        const idle = card(page, 'Idle');
        await expect.poll(() => idle.locator('.reading b').textContent()).toBe('0');
        expect(await idle.locator('.trace').count()).toBe(1);
        await idle.getByRole('button', { name: 'Stop watching Idle of pool' }).click();
        await expect.poll(() => card(page, 'Idle').count()).toBe(0);
        await page.getByRole('link', { name: '24 h' }).click();
        expect(await page.getByRole('link', { name: '24 h' }).getAttribute('aria-current')).toBe('page');
        expect(await cards(page).count()).toBe(6);
      },
      { javaScriptEnabled: false },
    );
  });
});

describe('a row of a bean', () => {
  it('is watched and removed by its menu, and its bean has a plot in the list', async () => {
    const { url } = await start();
    await visit(`${url}/jig/bean/pool.html?levels=1`, async (page) => {
      await treeRow(page, 'numbers').locator('a.twist').click();
      const menu = (key: string) => treeRow(page, key).locator('summary');
      await menu('number 3').click();
      await page.getByRole('button', { name: 'Watch this value' }).locator('visible=true').click();
      // What was open is open again.
      await menu('number 3').click();
      await page.getByRole('button', { name: 'Stop watching' }).locator('visible=true').waitFor();
      await page.goto(`${url}/jig/bean`);
      const lines = async () => {
        await page.reload();
        return page.getByRole('img', { name: /number 3/ }).count();
      };
      await expect.poll(lines, { interval: 1000 }).toBe(1);
      expect(await violations(page)).toEqual([]);
      await page.goBack();
      await menu('number 3').click();
      await page.getByRole('button', { name: 'Stop watching' }).locator('visible=true').click();
      await menu('number 3').click();
      await page.getByRole('button', { name: 'Watch this value' }).locator('visible=true').waitFor();
    });
  });
});
