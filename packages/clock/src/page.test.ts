import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Locales } from './locales.ts';
import { Names } from './names.ts';
import { ClockPages } from './page.ts';
import { PageTexts } from './page-texts.ts';
import { select } from './selection.ts';
import { Zones } from './zones.ts';

const locales = new Locales('en-US');
const zones = new Zones('UTC');
const assets = { stylesheet: '/a.css', bootstrap: '/b.js', jquery: '/j.js', search: '/s.js', searchData: '/s.json' };

const pages = () =>
  new ClockPages({
    names: new Names(locales, zones),
    texts: new PageTexts(() => ({ cldr: '48', tz: '2026f' })),
    assets,
    script: 'start()',
  });

function selection(languageTag: string, zoneID = 'UTC', browserZone?: string) {
  return select({ languageTag, acceptLanguage: undefined, zoneID, browserZone }, true, locales, zones);
}

const clock = pages();
const html = async (...choice: Parameters<typeof selection>) =>
  (await clock.page(selection(...choice), 'identity')).body.toString();

describe('a page', () => {
  it.each(['en-US', 'ar-EG', 'my-MM'])('has the same content with gzip and without, in %s', async (tag) => {
    const withoutTime = (text: string) => text.replace(/data-now="\d+"|\d+:\d\d:\d\d|[٠-٩၀-၉]/g, '');
    const { body: zipped } = await clock.page(selection(tag), 'gzip');
    expect(withoutTime(gunzipSync(zipped).toString())).toBe(withoutTime(await html(tag)));
    expect(zipped.length).toBeLessThan(40_000);
  });

  it('shows the time at which it is ready, not that of the request', async () => {
    const asked = Date.now();
    const { body, instant } = await pages().page(selection('sw-KE'), 'identity');
    expect(instant).toBeGreaterThan(asked);
    expect(body.toString()).toContain(`data-now="${Math.floor(instant / 1000) * 1000}"`);
  });

  it('is rendered once for each choice, except the time and alerts', async () => {
    const own = pages();
    for (const zone of ['Asia/Tokyo', 'Asia/Tokyo', 'Mars/<b>', 'GMT'])
      await own.page(selection('de-DE', zone), 'identity');
    expect(JSON.stringify(own)).toBe('{"pages":2}');
  });

  it('escapes input', async () => {
    const page = await html('<b>', '"><i>');
    expect(page).toContain('\u2068&lt;b&gt;\u2069');
    expect(page).not.toMatch(/<b>|<i>/);
  });

  it('marks texts in another language than the page', async () => {
    expect(await html('de-DE')).not.toContain('<footer lang');
    const page = await html('gd-GB');
    expect(page).toContain('<footer lang="en" dir="ltr">');
    expect(page).toContain('<select class="col-lg" name="zoneID" aria-labelledby="zoneLabel"');
  });

  it("shows the zone's current name and its difference to the browser's zone", async () => {
    const page = await html('en-US', 'Asia/Kathmandu', 'Asia/Tokyo');
    expect(page).toContain('>Nepal Time</a> = Japan Standard Time -3.25 hours</aside>');
    expect(await html('en-US', 'Asia/Tokyo', 'Asia/Tokyo')).toContain('>Japan Standard Time</a></aside>');
  });
});
