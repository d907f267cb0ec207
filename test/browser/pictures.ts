// Takes the pictures of the documents, of a made-up shop and of the clock, after `npm run build`:
// node --import tsx test/browser/pictures.ts
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { orderShop } from '../support/order-shop.ts';
import { serveBeans } from '../support/serve-beans.ts';
import { startService, withoutDatabase } from '../support/start-service.ts';

process.env.NODE_ENV = 'development';
const browser = await launchChromium();

type Act = (page: Page) => Promise<void>;

async function take(name: string, url: string, options: BrowserContextOptions, act?: Act): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await act?.(page);
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url)) });
  await context.close();
}

const { source, service } = orderShop({ orders: 250 });
const shop = await serveBeans(source, { prefix: '/jig' });
// A snapshot to compare with, and changes since.
const keeper = await browser.newPage();
await keeper.goto(`${shop.url}/jig/compare`);
await keeper.getByRole('button', { name: /^Keep/ }).click();
await keeper.close();
const { counters, holds } = service.regions.eu;
Object.assign(counters, { placed: 48_213, paid: 47_991, lastError: 'payment gateway: connection refused' });
holds.delete('ord_7Q2M8Z');
service.regions.us.currency = 'USD';

const eu = '/regions/eu';
const opened = `/bean/orderService.html?at=${eu}&open=${eu}/counters&open=${eu}/tree&open=${eu}/holds`;
const pages = { list: '/bean', bean: opened, search: '/bean?find=session', graph: '/graph', compare: '/compare' };
const viewport = { width: 1280, height: 860 };
for (const [name, path] of Object.entries(pages)) await take(`beans-${name}`, `${shop.url}/jig${path}`, { viewport });
await shop.close();

/** A shop in which payments hang for a while, and five minutes that are over in a moment. */
const queue = { _clients: [] as object[], _idle: [{}], _pendingQueue: [] as object[], options: { max: 20 } };
const cart = { open: 0, paid: 48_000, prices: new Map<number, number>(), delay: 2 };
const minutes = 5;
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() - minutes * 60_000 });
const realNow = performance.now.bind(performance);
performance.now = () => Date.now();
const watched = await serveBeans(
  { databasePool: queue, orders: cart },
  {
    watch: [
      { bean: 'databasePool', reading: 'waiting', over: 0 },
      { bean: 'databasePool', reading: 'connections' },
      { bean: 'databasePool', reading: 'inUse', over: 18 },
      { bean: 'orders', at: '/open' },
      { bean: 'orders', at: '/delay', over: 50 },
      { bean: 'orders', at: '/prices' },
    ],
  },
);
// What records is loaded with the first answer.
await (await fetch(`${watched.url}/jig/watch.json`)).text();
for (let second = 0; second < minutes * 60; second++) {
  const wave = Math.sin(second / 17) + Math.sin(second / 5) / 2;
  const isHanging = second > 250;
  queue._clients = Array.from({ length: Math.round(11 + wave) }, () => ({}));
  queue._idle = Array.from({ length: isHanging ? 0 : Math.round(3 - wave) }, () => ({}));
  queue._pendingQueue = Array.from({ length: isHanging ? Math.round((second - 250) / 8) : 0 }, () => ({}));
  cart.open = Math.round(216 + second / 20 + 3 * wave);
  cart.delay = second === 220 ? 38.2 : 5 + 2 * wave;
  if (second % 4 !== 0) cart.prices.set(second, 1);
  mock.timers.tick(1000);
  // A snapshot is kept meanwhile.
  await new Promise(setImmediate);
}
mock.timers.reset();
performance.now = realNow;
await pause(2000);
for (const reading of [
  'cpu',
  'residentMemory',
  'heapUsed',
  'eventLoopDelayP99',
  'eventLoopUtilization',
  'garbageCollection',
])
  await fetch(`${watched.url}/jig/watch?bean=process&reading=${reading}`, { method: 'DELETE' });
await take('beans-watch', `${watched.url}/jig/watch`, { viewport, javaScriptEnabled: false });
await watched.close();

const clock = await startService({ environment: withoutDatabase });
const newYork = 'languageTag=en-US&zoneID=America/New_York';
/** As somebody in Berlin sees the page. */
const takeClock = (name: string, choice: string, options?: BrowserContextOptions, act?: Act) => {
  const visitor = { timezoneId: 'Europe/Berlin', viewport: { width: 1040, height: 500 }, ...options };
  return take(`clock-${name}`, `${clock.url}/clock/time?${choice}`, visitor, act);
};
await takeClock('en-US', newYork);
await takeClock('ar-EG', 'languageTag=ar-EG&zoneID=Africa/Cairo');
await takeClock('ja-JP', 'languageTag=ja-JP&zoneID=Asia/Tokyo');
await takeClock('th-TH', 'languageTag=th-TH&zoneID=Asia/Bangkok');
await takeClock('search', newYork, {}, async (page) => {
  await page.locator('[name=languageTag]').focus();
  await page.keyboard.type('deutsch');
  await page.getByText('de-CH').last().waitFor();
});
await clock.stop();
await browser.close();
