import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focusedKey, treeKeys, treeRow, useBrowser } from '../support/bean-browser.ts';
import { violations } from '../support/chromium.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

const makeShop = () => ({
  visitors: 1,
  orders: { placed: 1, open: [1, 2] as number[] },
  others: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key ${index}`, index])),
});
/** Like that of pg. */
const pool = {
  _clients: [{}] as object[],
  _idle: [],
  _pendingQueue: [],
  options: { max: 4 } as Record<string, number>,
};
const beans = { shop: makeShop(), pool };

let served: ServedBeans;
const visit = useBrowser();
const token = 'a-token-for-tests';

beforeAll(async () => {
  served = await serveBeans(beans, { token });
});
afterAll(() => served?.close());
beforeEach(() => {
  Object.assign(beans.shop, makeShop());
});

const address = (query = '') => `${served.url}/jig/bean/shop.html${query}`;
const httpCredentials = { username: 'me', password: token };
const options = { httpCredentials };

const liveSwitch = (page: Page) => page.getByRole('switch', { name: 'Live' });

/** Switches it on, and waits until the stream has begun. */
async function goLive(page: Page): Promise<void> {
  await Promise.all([
    page.waitForResponse((answer) => answer.headers()['content-type'] === 'text/event-stream'),
    liveSwitch(page).click(),
  ]);
}

describe('Live', () => {
  it('shows changes, highlights them for a moment, and keeps focus, scroll position and open rows', async () => {
    await visit(
      address('?levels=1&open=/orders&open=/others'),
      async (page) => {
        await goLive(page);
        expect(await liveSwitch(page).getAttribute('aria-checked')).toBe('true');
        await treeRow(page, 'key 40').focus();
        const before = await page.evaluate(() => scrollY);
        beans.shop.orders.placed = 48;
        beans.shop.orders.open.push(3);
        const row = treeRow(page, 'placed');
        await row.locator('.was').waitFor({ state: 'attached' });
        expect(await row.locator('.val').textContent()).toBe('48was 1');
        expect(await row.getAttribute('class')).toBe('changed');
        expect(await page.locator('#said').textContent()).toMatch(/^2 values changed at \d\d:\d\d:\d\d UTC$/);
        await row.locator('.was').waitFor({ state: 'detached' });
        expect(await row.getAttribute('class')).toBe('');
        expect(await focusedKey(page)).toBe('key 40');
        expect(await page.evaluate(() => scrollY)).toBe(before);
        expect(await treeKeys(page)).toContain('key 59');
      },
      options,
    );
  });

  it('follows opened and closed containers, and added and removed entries', async () => {
    await visit(
      address('?levels=1'),
      async (page) => {
        await goLive(page);
        await treeRow(page, 'orders').locator('a.twist').click();
        await treeRow(page, 'open').locator('a.twist').click();
        await treeRow(page, '1').waitFor();
        beans.shop.orders.open = [5, 6, 7];
        await treeRow(page, '2').waitFor();
        beans.shop.orders.open = [5];
        await treeRow(page, '1').waitFor({ state: 'detached' });
        expect(await treeKeys(page)).toEqual(['visitors', 'orders', 'placed', 'open', '0', 'others']);
      },
      options,
    );
  });

  it('updates the glance, and neither opens nor closes rows by itself', async () => {
    await visit(
      `${served.url}/jig/bean/pool.html`,
      async (page) => {
        await goLive(page);
        expect(await page.locator('#tiles').textContent()).toBe('Connections1 of 4In use1Idle0Waiting0');
        expect(await treeKeys(page)).toEqual(['options', 'max', '_clients', '_idle', '_pendingQueue']);
        beans.pool._clients.push({}, {});
        for (let index = 0; index < 30; index++) beans.pool.options[`key ${index}`] = index;
        await expect.poll(() => page.locator('#tiles').textContent()).toContain('Connections3 of 4In use3');
        await treeRow(page, 'key 29').waitFor();
        expect(await treeKeys(page)).toHaveLength(35);
        expect(await violations(page)).toEqual([]);
      },
      options,
    );
  });

  it('has one stream, which ends when the page is hidden or Live is off, and starts again', async () => {
    await visit(
      address(),
      async (page) => {
        const streams: string[] = [];
        page.on('request', (request) => {
          if (request.headers().accept === 'text/event-stream') streams.push('begun');
        });
        page.on('requestfailed', (request) => {
          if (request.headers().accept === 'text/event-stream') streams.push('ended');
        });
        const turn = (isHidden: boolean) =>
          page.evaluate((hidden) => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event('visibilitychange'));
          }, isHidden);
        const until = async (wanted: readonly string[]) => {
          await expect.poll(() => streams).toEqual(wanted);
        };
        await goLive(page);
        await turn(true);
        await until(['begun', 'ended']);
        await turn(false);
        await until(['begun', 'ended', 'begun']);
        await liveSwitch(page).click();
        await until(['begun', 'ended', 'begun', 'ended']);
        expect(await liveSwitch(page).getAttribute('aria-checked')).toBe('false');
      },
      options,
    );
  });

  it('stays on after a reload, and replaces the page that reloads itself', async () => {
    await visit(
      address('?live=1'),
      async (page) => {
        await page.waitForURL(/#live$/);
        expect(new URL(page.url()).search).toBe('');
        await expect.poll(() => liveSwitch(page).getAttribute('aria-checked')).toBe('true');
        beans.shop.visitors = 2;
        await treeRow(page, 'visitors').locator('.was').waitFor({ state: 'attached' });
      },
      options,
    );
  });
});
