import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/bean-browser.ts';
import { fits, outlines, violations } from '../support/chromium.ts';
import { orderShop } from '../support/order-shop.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

let served: ServedBeans;
const visit = useBrowser();

beforeAll(async () => {
  // As few as show everything that a page has: axe looks at each row.
  const { source, service } = orderShop({ orders: 5 });
  served = await serveBeans(source);
  await fetch(at('/compare'), { method: 'POST', redirect: 'manual' });
  service.regions.eu.counters.placed++;
});
afterAll(() => served?.close());

const at = (path: string) => `${served.url}/jig${path}`;
const wide = { width: 1280, height: 800 };
/** As wide as a window of 1280 pixels is at a zoom of 400%. */
const narrow = { width: 320, height: 640 };

describe.each([
  ['the list', '/bean'],
  ['the list without a match', '/bean?q=nothing-like-this'],
  [
    'a bean',
    '/bean/orderService.html?at=/regions/eu&open=/regions/eu/recent&open=/regions/eu/recent/0&open=/regions/eu/tree&open=/regions/eu/holds&from=1:/regions/eu/holds',
  ],
  ['a bean with all levels', '/bean/configuration.html?levels=all'],
  ['a bean with a glance', '/bean/databasePool.html'],
  ['a text', '/bean/orderService.html?at=/regions/eu/recent/0/note'],
  ['the search', '/bean?find=session'],
  ['the graph', '/graph'],
  ['a comparison', '/compare'],
  ['the search without a hit', '/bean?find=nothing-like-this'],
])('%s', (_what, path) => {
  it('fits, and axe finds no violation: light, dark, in forced colours, narrow; and fits from right to left', async () => {
    await visit(at(path), async (page) => {
      const looks = [
        ['light', wide, { colorScheme: 'light' }, 'everything'],
        ['dark', wide, { colorScheme: 'dark' }, 'colours'],
        ['forced colours', wide, { colorScheme: 'light', forcedColors: 'active' }, 'colours'],
        ['narrow', narrow, { colorScheme: 'dark', forcedColors: 'none' }, 'everything'],
      ] as const;
      for (const [name, size, media, changed] of looks) {
        await page.setViewportSize(size);
        await page.emulateMedia(media);
        expect({ fits: await fits(page), violations: await violations(page, changed) }, name).toEqual({
          fits: true,
          violations: [],
        });
      }
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl';
      });
      for (const size of [wide, narrow]) {
        await page.setViewportSize(size);
        expect(await fits(page)).toBe(true);
      }
    });
  });
});

const names = (page: Page) => page.locator('#beans tbody tr:visible .name').allTextContents();

describe('the list of beans', () => {
  it('is filtered while the user types, keeps the filter in its address, and offers to search inside', async () => {
    await visit(at('/bean'), async (page) => {
      const all = (await names(page)).length;
      const field = page.getByRole('searchbox');
      await field.fill('jig/application SESSION');
      expect(await names(page)).toEqual(['sessionLayer', 'sessions']);
      expect(await page.locator('#count').textContent()).toBe(`2 of ${all}. Enter searches keys and values too.`);
      expect(new URL(page.url()).searchParams.get('q')).toBe('jig/application SESSION');
      await page.getByRole('link', { name: 'None', exact: true }).click();
      expect(await names(page)).toEqual(['sessionLayer', 'sessions']);
      expect(await page.locator('#beans .group').count()).toBe(0);
      await field.fill('<b>nothing');
      expect(await page.locator('#empty h2').textContent()).toBe('No bean has “<b>nothing”');
      await page.getByRole('link', { name: 'Clear the filter' }).click();
      expect(await names(page)).toHaveLength(all);
      await field.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('session');
      expect((await names(page)).length).toBeLessThan(all);
      await page.keyboard.press('Escape');
      expect(await names(page)).toHaveLength(all);
      await field.fill('session');
      await Promise.all([page.waitForURL(/inside|find/), field.press('Enter')]);
      expect(await page.locator('h1').textContent()).toBe('Search');
    });
  });

  it('shows the focus at each stop of Tab', async () => {
    // Its rows are alike, so that some are enough.
    await visit(at('/bean?q=session'), async (page) => {
      expect(await page.locator('h1').textContent()).toBe('Beans');
      expect(new Set(await outlines(page))).toEqual(new Set(['solid']));
      expect(await page.evaluate(() => document.activeElement?.matches('a'))).toBe(true);
    });
  });

  it('is grouped, sorted, filtered and searched without JavaScript', async () => {
    await visit(
      at('/bean'),
      async (page) => {
        await page.getByRole('link', { name: 'None', exact: true }).click();
        await page.getByRole('searchbox').fill('database');
        await page.getByRole('button', { name: 'Apply' }).click();
        expect(await names(page)).toEqual(['database', 'databasePool', 'databaseSessionStore']);
        expect(await page.locator('#beans .group').count()).toBe(0);
        await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
        expect(await names(page)).toEqual(['databaseSessionStore', 'databasePool', 'database']);
        await page.getByRole('button', { name: 'Search inside' }).click();
        expect(await page.locator('h1').textContent()).toBe('Search');
      },
      { javaScriptEnabled: false },
    );
  });
});

describe('the page of a bean', () => {
  it('lists its dependencies and dependents with their states and links', async () => {
    await visit(at('/bean/orderService.html'), async (page) => {
      const side = page.getByRole('complementary', { name: 'Dependencies' });
      expect(await side.getByRole('listitem').filter({ hasText: 'stockLevels' }).first().textContent()).toContain(
        'cycle',
      );
      expect(await side.getByRole('listitem').filter({ hasText: 'paymentGateway' }).textContent()).toContain('Fake');
      await side.getByRole('link', { name: 'orderController' }).click();
      expect(await page.locator('h1').textContent()).toBe('orderController');
    });
  });
});

describe('the page of a bean that does not exist, where looking creates nothing', () => {
  it.each([true, false])('creates it when its button is pressed, with JavaScript: %s', async (javaScriptEnabled) => {
    const fresh = await serveBeans(orderShop().source, { create: 'explicit' });
    try {
      await visit(
        `${fresh.url}/jig/bean`,
        async (page) => {
          await page.getByRole('rowheader', { name: 'mailer' }).getByRole('link').click();
          expect(await page.locator('.empty h2').textContent()).toBe('This bean does not exist yet');
          if (javaScriptEnabled) expect([await fits(page), await violations(page)]).toEqual([true, []]);
          await page.getByRole('button', { name: 'Create it' }).click();
          await page.waitForURL(`${fresh.url}/jig/bean/mailer.html`);
          expect(await page.getByRole('treegrid').count()).toBe(1);
          await page.goto(`${fresh.url}/jig/bean/sessions.html`);
          await page.getByRole('button', { name: 'Create it' }).click();
          await page.getByRole('button', { name: 'Create another' }).waitFor();
          expect(await page.locator('.note').textContent()).toContain('It was created for this page and is not kept');
        },
        { javaScriptEnabled },
      );
    } finally {
      await fresh.close();
    }
  });
});

describe('the search', () => {
  it('marks each hit, and links to it', async () => {
    await visit(at('/bean?find=needsSession'), async (page) => {
      const hit = page.getByRole('row').filter({ hasText: '/routes/0/needsSession' });
      expect(await hit.locator('mark').first().textContent()).toBe('needsSession');
      await hit.getByRole('link').click();
      expect(new URL(page.url()).searchParams.get('at')).toBe('/routes/0/needsSession');
    });
  });
});

describe('a comparison', () => {
  it('is updated in place by a choice, and by a button without JavaScript', async () => {
    await visit(at('/compare?always=1'), async (page) => {
      const choice = page.getByLabel('Change');
      await choice.selectOption('removed');
      await page.getByText('Nothing differs.').waitFor();
      expect(new URL(page.url()).searchParams.get('kind')).toBe('removed');
      await choice.focus();
      await choice.selectOption('changed');
      await page.getByText('/regions/eu/counters/placed').waitFor();
      expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
    });
    await visit(
      at('/compare'),
      async (page) => {
        await page.getByLabel('Change').selectOption('added');
        await page.getByRole('button', { name: 'Compare' }).click();
        expect(await page.locator('.empty').textContent()).toBe('Nothing differs.');
      },
      { javaScriptEnabled: false },
    );
  });
});
