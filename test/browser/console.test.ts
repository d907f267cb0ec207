import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Programs, type StartedProgram } from '../console/console-on-this-machine.ts';
import { useBrowser } from '../support/bean-browser.ts';
import { fits, useChromium, violations } from '../support/chromium.ts';

const visit = useBrowser();
const open = useChromium();
let programs: Programs;
let shop: StartedProgram;
let plain: StartedProgram;
let address: string;

beforeAll(async () => {
  programs = await Programs.create();
  [shop, plain] = await Promise.all([
    programs.start('express-app.mjs'),
    programs.start('plain-app.mjs', { env: { SERVERS: '5' }, nodeFlags: ['--inspect-port=0'] }),
    programs.start('cluster-app.mjs'),
  ]);
  ({ address } = await programs.startConsole());
});
afterAll(() => programs[Symbol.asyncDispose]());

describe('the page of processes', () => {
  it('links to the beans of an application, whose pages work below the console', () =>
    visit(address, async (page) => {
      expect(new URL(page.url()).search).toBe('');
      const row = page.getByRole('row').filter({ hasText: String(shop.pid) });
      await row.getByRole('link', { name: 'Open beans' }).click();
      await page.getByRole('rowheader', { name: 'basket' }).getByRole('link').click();
      await page.getByText('"kettle"', { exact: true }).waitFor();
      await page.getByRole('switch', { name: 'Live' }).click();
      await fetch(`${shop.line}/basket`, { method: 'POST' });
      await page.getByText('"toaster"', { exact: true }).waitFor();
    }));

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('has no axe violation and fits in %s colours at %i px', (colorScheme, width) =>
    visit(
      address,
      async (page) => {
        expect(await violations(page)).toEqual([]);
        expect(await fits(page)).toBe(true);
      },
      { colorScheme, viewport: { width, height: 900 } },
    ),
  );

  it('refreshes itself, and keeps the focus and the page', () =>
    visit(address, async (page) => {
      expect(await page.getByRole('switch', { name: 'Live' }).getAttribute('aria-checked')).toBe('true');
      const row = page.getByRole('row').filter({ hasText: String(shop.pid) });
      await row.getByRole('link', { name: 'Open beans' }).focus();
      const time = await page.locator('#time').textContent();
      await page.evaluate(() => Reflect.set(window, 'isSame', true));
      const other = await programs.start('express-app.mjs');
      await page.getByRole('cell', { name: String(other.pid), exact: true }).waitFor();
      expect(await page.locator('#time').textContent()).not.toBe(time);
      expect(await page.evaluate(() => Reflect.get(window, 'isSame'))).toBe(true);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open beans');
    }));

  it('refreshes itself without JavaScript', () =>
    visit(
      address,
      async (page) => {
        await page.getByRole('link', { name: 'Live' }).click();
        const time = await page.locator('.head time').textContent();
        await expect.poll(() => page.locator('.head time').textContent()).not.toBe(time);
      },
      { javaScriptEnabled: false },
    ));
});

/** The least distance of an element to an edge of the card that it is in. */
const distanceToCard = (element: Locator) =>
  element.evaluate((inner) => {
    const own = inner.getBoundingClientRect();
    const card = inner.closest('.card')?.getBoundingClientRect() ?? own;
    return Math.min(own.left - card.left, card.right - own.right, card.bottom - own.bottom);
  });

describe.runIf(process.platform === 'linux')('the pages of attaching', () => {
  it.each([
    ['light', 'ltr', 1280],
    ['dark', 'rtl', 320],
  ] as const)('has no axe violation and fits in %s colours, %s, at %i px', async (colorScheme, dir, width) => {
    const basket = await programs.start('unprepared/basket.cjs', { nodeFlags: ['--inspect-port=0'] });
    await visit(
      address,
      async (page) => {
        const check = async () => {
          await page.evaluate((value) => document.documentElement.setAttribute('dir', value), dir);
          expect([page.url(), await violations(page), await fits(page)]).toEqual([page.url(), [], true]);
        };
        const home = page.url();
        // It listens on five ports.
        await page.goto(`${home}attach/${plain.pid}`);
        await check();
        await page.goto(`${home}attach/${basket.pid}`);
        await check();
        await page.getByRole('button', { name: 'Attach' }).click();
        await page.getByRole('rowheader', { name: 'basket.pool' }).waitFor();
        const folded = page.getByRole('link', { name: 'Constants and helpers' });
        expect(await distanceToCard(folded)).toBeGreaterThan(8);
        await page.goto(home);
        await check();
        await page.getByRole('button', { name: 'Detach' }).click();
        await page.getByText(`Jig has left process ${basket.pid}.`).waitFor();
      },
      { colorScheme, viewport: { width, height: 900 } },
    );
  });
});

describe('a page of another site', () => {
  it.each([
    ['another site', 'localhost'],
    ['another port of the same host', '127.0.0.1'],
  ])('gets nothing from the console, although the browser has its cookie: %s', async (_, host) => {
    let asked = '';
    const evil = createServer((request, response) => {
      asked += `${request.url} ${request.headers.cookie ?? ''}\n`;
      response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Evil</title>');
    }).listen(0);
    await once(evil, 'listening');
    try {
      await open({}, async (page) => {
        await page.goto(address);
        const home = page.url();
        await page.getByRole('heading', { name: 'Node processes' }).waitFor();
        const requests: string[] = [];
        const statuses: number[] = [];
        // The page of the console has an event stream, which ends here.
        await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
        page.on('request', (request) => requests.push(request.url()));
        // Those that the browser does not let the page have are not among them.
        page.on('response', (response) => {
          if (response.url().startsWith(home)) statuses.push(response.status());
        });
        const got = await page.evaluate(async (target) => {
          const tell = (answer: Response) => answer.text();
          const fail = () => '';
          const frame = document.createElement('iframe');
          frame.src = target;
          document.body.append(frame);
          const image = new Image();
          image.src = `${target}?tools=1`;
          await new Promise((resolve) => {
            image.onerror = resolve;
          });
          const options = { credentials: 'include' } as const;
          return [
            await fetch(target, options).then(tell, fail),
            await fetch(target, { ...options, mode: 'no-cors' }).then(tell, fail),
            await fetch(target, { ...options, method: 'POST', mode: 'no-cors', body: 'x' }).then(tell, fail),
            await fetch(target, { headers: { authorization: 'Bearer x' } }).then(tell, fail),
            frame.contentDocument?.body?.textContent ?? '',
          ];
        }, home);
        expect(got).toEqual(['', '', '', '', '']);
        expect(requests.filter((url) => url.startsWith(home)).length).toBeGreaterThanOrEqual(5);
        expect(statuses.filter((status) => status !== 403)).toEqual([]);
        // The cookie goes to no other server of this machine.
        expect(asked).not.toContain('jig-console');
      });
    } finally {
      evil.closeAllConnections();
      evil.close();
    }
  });
});
