import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusedKey, treeKeys, treeRow, useBrowser } from '../support/bean-browser.ts';
import { fits, holdRequests, violations } from '../support/chromium.ts';
import { type ServedBeans, serveBeans } from '../support/serve-beans.ts';

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>&amp;"\'';
const beans = {
  shop: {
    name: 'Corner shop',
    open: true,
    pool: { size: 4, idle: [{ host: 'db1' }, { host: 'db2' }] },
    limits: { soft: 1, hard: { deep: 2 } },
    password: 'hunter2',
    zone: 'Europe/Paris',
  },
  many: { history: Array.from({ length: 100_000 }, (_, index) => ({ id: index })), after: 1 },
  odd: new Map<string, unknown>([
    ['k'.repeat(65_536), { inner: 1 }],
    [markup, markup],
    ['/a~b/', { 'with space': 1 }],
    ['مفتاح', 'قيمة من اليمين إلى اليسار'],
    ['', 'empty key'],
    ['\u0000\n', 'control \u0007 characters'],
    ['text', 'x'.repeat(5000)],
    ['[Depth limit]', '[Depth limit]'],
  ]),
  [`a/b ?#%${markup}`]: { value: 1 },
};

let served: ServedBeans;
const visit = useBrowser();

beforeAll(async () => {
  served = await serveBeans(beans, { secrets: ['hunter2'] });
});
afterAll(() => served?.close());

const at = (path: string) => `${served.url}/jig${path}`;

describe('the tree of a bean', () => {
  it('is navigated by the keys of a treegrid, and is one tab stop', async () => {
    await visit(at('/bean/shop.html?levels=1'), async (page) => {
      await page.locator('#tree tbody tr').first().focus();
      const press = async (key: string) => {
        await page.keyboard.press(key);
        return focusedKey(page);
      };
      expect(await focusedKey(page)).toBe('name');
      expect(await press('ArrowDown')).toBe('open');
      expect(await press('ArrowUp')).toBe('name');
      expect(await press('ArrowUp')).toBe('name');
      expect(await press('End')).toBe('limits');
      expect(await press('ArrowDown')).toBe('limits');
      expect(await press('Home')).toBe('name');
      await page.keyboard.type('po');
      expect(await focusedKey(page)).toBe('pool');
      await page.keyboard.press('ArrowRight');
      await treeRow(page, 'idle').waitFor();
      expect(await focusedKey(page)).toBe('pool');
      expect(await treeRow(page, 'pool').getAttribute('aria-expanded')).toBe('true');
      expect(await press('ArrowRight')).toBe('size');
      expect(await press('ArrowRight')).toBe('size');
      expect(await press('ArrowLeft')).toBe('pool');
      expect(await press('ArrowLeft')).toBe('pool');
      await treeRow(page, 'idle').waitFor({ state: 'detached' });
      expect(await treeKeys(page)).toEqual(['name', 'open', 'password', 'zone', 'pool', 'limits']);
      expect(await page.locator('#tree [tabindex="0"]').count()).toBeGreaterThan(1);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('b')?.textContent)).toBe(
        'pool',
      );
      expect(await page.locator('#tree tbody tr[tabindex="0"]').count()).toBe(1);
    });
  });

  it('mirrors the arrow keys from right to left', async () => {
    await visit(at('/bean/shop.html?levels=1'), async (page) => {
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl';
      });
      await treeRow(page, 'pool').focus();
      await page.keyboard.press('ArrowLeft');
      await treeRow(page, 'idle').waitFor();
      await page.keyboard.press('ArrowRight');
      await treeRow(page, 'idle').waitFor({ state: 'detached' });
      expect(await treeRow(page, 'pool').getAttribute('aria-expanded')).toBe('false');
      expect(await fits(page)).toBe(true);
    });
  });

  it('opens what fits, and keeps what the user opens and closes', async () => {
    await visit(at('/bean/shop.html'), async (page) => {
      const all = ['name', 'open', 'password', 'zone', 'pool', 'size', 'idle', '0', 'host', '1', 'host'];
      expect(await treeKeys(page)).toEqual([...all, 'limits', 'soft', 'hard', 'deep']);
      await treeRow(page, 'idle').locator('a.twist').click();
      await treeRow(page, 'host').waitFor({ state: 'detached' });
      await treeRow(page, 'limits').locator('a.twist').click();
      await treeRow(page, 'hard').waitFor({ state: 'detached' });
      const closed = await treeKeys(page);
      await page.reload();
      expect(await treeKeys(page)).toEqual(closed);
      await treeRow(page, 'idle').locator('a.twist').click();
      await treeRow(page, 'host').waitFor();
      expect(await treeKeys(page)).toEqual([...all, 'limits']);
    });
  });

  it('copies the pointer and leads to the documents from the menu of a row', async () => {
    await visit(
      at('/bean/shop.html?levels=2'),
      async (page) => {
        const row = treeRow(page, 'size');
        await row.hover();
        await row.locator('summary').click();
        await row.getByRole('button', { name: 'Copy pointer' }).click();
        await page.getByText('Copied /pool/size').first().waitFor();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('/pool/size');
        await row.locator('summary').click();
        expect(await row.getByRole('link', { name: 'Open as XML' }).getAttribute('href')).toBe(
          '/jig/bean/shop.xml?at=/pool/size&pretty',
        );
        await page.keyboard.press('Escape');
        expect(await row.locator('details').getAttribute('open')).toBeNull();
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('waits on a slow network without opening twice, and reports a server that does not answer', async () => {
    await visit(at('/bean/shop.html?levels=1'), async (page) => {
      const opened = /[?&]open=/;
      const release = await holdRequests(page, opened);
      let asked = 0;
      page.on('request', (request) => {
        if (opened.test(request.url())) asked++;
      });
      const row = treeRow(page, 'pool');
      await row.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await row.getAttribute('aria-busy')).toBe('true');
      release();
      await treeRow(page, 'idle').waitFor();
      expect(asked).toBe(1);
      expect((await treeKeys(page)).filter((key) => key === 'idle')).toHaveLength(1);
      await page.route(opened, (route) => route.abort());
      await treeRow(page, 'limits').locator('a.twist').click();
      await page.getByText('The server did not answer').first().waitFor();
      expect(await treeRow(page, 'limits').getAttribute('aria-expanded')).toBe('false');
    });
  });

  it('shows a hundred of 100,000 entries at a time, and leads to any other', async () => {
    await visit(at('/bean/many.html'), async (page) => {
      await treeRow(page, 'history').locator('a.twist').click();
      await treeRow(page, '99').waitFor();
      expect(await page.locator('#tree tbody tr').count()).toBe(103);
      expect(await treeRow(page, '99').getAttribute('aria-setsize')).toBe('100000');
      await page.getByRole('link', { name: 'Next 100' }).click();
      await treeRow(page, '199').waitFor();
      expect(await focusedKey(page)).toBe('100');
      await page.getByLabel('From item').fill('50000');
      await page.getByRole('button', { name: 'Go' }).click();
      await treeRow(page, '50099').waitFor();
      await page.getByRole('link', { name: 'Last 100' }).click();
      await treeRow(page, '99999').waitFor();
      expect(await page.locator('#tree tbody tr').count()).toBe(103);
      expect(await treeKeys(page)).toContain('after');
      await page.reload();
      expect(await treeRow(page, '99999').count()).toBe(1);
    });
  });

  it('shows markup, long keys, control characters and right-to-left texts unchanged', async () => {
    await visit(at('/bean/odd.html?levels=2'), async (page) => {
      const keys = await treeKeys(page);
      expect(keys).toContain(markup);
      expect(keys).toEqual(expect.arrayContaining(['\\u0000\\n', '""']));
      expect(keys.some((key) => key.length > 200)).toBe(false);
      expect(await page.locator('#tree img, #tree script').count()).toBe(0);
      expect(await page.title()).toBe('odd');
      expect(await treeRow(page, markup).locator('.val').textContent()).toBe(`"${markup}"`);
      expect(await treeRow(page, '[Depth limit]').locator('.tag').count()).toBe(0);
      expect(
        await treeRow(page, 'مفتاح')
          .locator('.s')
          .evaluate((text) => getComputedStyle(text).direction),
      ).toBe('rtl');
      expect((await page.content()).includes('k'.repeat(1000))).toBe(false);
      expect(await fits(page)).toBe(true);
      expect(await violations(page)).toEqual([]);
      await treeRow(page, '/a~b/').locator('summary').click({ force: true });
      await treeRow(page, '/a~b/').getByRole('link', { name: 'Look from here' }).click();
      expect(new URL(page.url()).searchParams.get('at')).toBe('/~1a~0b~1');
      expect(await treeKeys(page)).toEqual(['with space']);
    });
  });
});

describe('without script', () => {
  const javaScriptEnabled = false;
  /** Does what leads to another page, and waits until it is there as a whole. */
  const load = (page: Page, act: () => Promise<void>) => Promise.all([page.waitForEvent('load'), act()]);

  it('the tree opens, closes and pages by links', async () => {
    await visit(
      at('/bean/shop.html?levels=1'),
      async (page) => {
        const follow = (name: string) => load(page, () => page.getByRole('link', { name }).click());
        await follow('Open pool');
        expect(await treeKeys(page)).toEqual(expect.arrayContaining(['idle', 'zone']));
        await follow('Open limits');
        expect(await treeKeys(page)).toEqual(expect.arrayContaining(['idle', 'soft', 'zone']));
        await follow('Close pool');
        expect(await treeKeys(page)).toEqual(['name', 'open', 'password', 'zone', 'pool', 'limits', 'soft', 'hard']);
        expect(await page.getByRole('button', { name: 'Copy pointer', includeHidden: false }).count()).toBe(0);
      },
      { javaScriptEnabled },
    );
    await visit(
      at('/bean/many.html?open=/history'),
      async (page) => {
        await load(page, () => page.getByRole('link', { name: 'Next 100' }).click());
        expect(await treeKeys(page)).toEqual(expect.arrayContaining(['100', '199', 'after']));
        await page.getByLabel('From item').fill('777');
        await load(page, () => page.getByRole('button', { name: 'Go' }).click());
        expect(await treeKeys(page)).toEqual(expect.arrayContaining(['history', '777', 'after']));
      },
      { javaScriptEnabled },
    );
  });

  it('Live reloads the page every two seconds', async () => {
    await visit(
      at('/bean/shop.html'),
      async (page) => {
        const [answer] = await Promise.all([
          page.waitForResponse(/live=1/),
          page.getByRole('link', { name: 'Live' }).click(),
        ]);
        expect(answer.headers()).toMatchObject({ refresh: '2' });
        expect(await page.locator('#live.on').getAttribute('href')).toBe('/jig/bean/shop.html');
      },
      { javaScriptEnabled },
    );
  });
});
