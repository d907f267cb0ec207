// npm run pictures: makes the pictures of docs/clock.md, and of docs/bean-inspection.md of the beans of a made-up shop.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/support/chromium.ts';
import { orderShop } from '../test/support/order-shop.ts';
import { serveBeans } from '../test/support/serve-beans.ts';
import { takeClockPictures } from './clock-pictures.ts';

const target = process.argv[2] ?? fileURLToPath(new URL('../docs/images/', import.meta.url));
const isAll = process.argv.includes('--all');
mkdirSync(target, { recursive: true });

const eu = '/regions/eu';
const pages = {
  list: '/bean',
  bean: `/bean/orderService.html?at=${eu}&open=${eu}/counters&open=${eu}/tree&open=${eu}/holds`,
  search: '/bean?find=session',
  graph: '/graph',
  compare: '/compare',
};

process.env.NODE_ENV = 'development';
const { source, service } = orderShop({ orders: 250 });
const shop = await serveBeans(source, { prefix: '/jig' });
const browser = await launchChromium();
// A snapshot to compare with, and changes since.
const keeper = await browser.newPage();
await keeper.goto(`${shop.url}/jig/compare`);
await keeper.getByRole('button', { name: /^Keep/ }).click();
await keeper.close();
const { counters, holds } = service.regions.eu;
Object.assign(counters, { placed: 48_213, paid: 47_991, lastError: 'payment gateway: connection refused' });
holds.delete('ord_7Q2M8Z');
service.regions.us.currency = 'USD';
const sizes = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } };
for (const [name, path] of Object.entries(pages)) {
  for (const [size, viewport] of Object.entries(isAll ? sizes : { wide: sizes.wide })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ locale: 'en-US', viewport, colorScheme });
      const page = await context.newPage();
      await page.goto(`${shop.url}/jig${path}`, { waitUntil: 'networkidle' });
      const file = ['beans', name, size === 'narrow' ? size : '', colorScheme === 'dark' ? colorScheme : '']
        .filter((part) => part !== '')
        .join('-');
      await page.screenshot({ path: join(target, `${file}.png`), fullPage: isAll });
      await context.close();
    }
  }
}
await shop.close();
await takeClockPictures(browser, target);
await browser.close();
