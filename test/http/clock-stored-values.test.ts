import { describe, expect, it } from 'vitest';
import { parseClockPage } from '../support/clock-page.ts';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

const service = useService({ JIG_CLOCK_ZONE: 'UTC' });

async function pageWith(attributes: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  const visitor = new Visitor(service.url, headers);
  expect((await visitor.choose(attributes)).status).toBe(302);
  return visitor.page();
}

/** The alerts as they are in the page, escapes included. */
const alertsIn = (html: string) =>
  [...html.matchAll(/<div role="alert"[^>]*>(.*?)<\/div>/gs)].map(([, text = '']) => text);

/** The possible texts hh:mm of a zone that is this far from UTC, since a minute may end meanwhile. */
const utcPlus = (minutes: number) =>
  [0, 20_000].map((late) => new Date(Date.now() + minutes * 60_000 - late).toISOString().slice(11, 16));

// Which tags and zones are understood is tested in packages/clock, and hostile text in test/security.
const rubbish = [
  '',
  'xx-XX',
  '</select><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u0000',
  '\ud800',
  'z'.repeat(10_000),
];

describe('a stored tag that is valid, old or sloppy', () => {
  it.each([
    ['ja-JP-u-ca-japanese', 'ja-JP', /^\p{L}{2}\d+年\d+月\d+日$/u],
    ['ar-EG-u-nu-latn', 'ar-EG', /^\d{1,2} \p{L}+ \d{4}$/u],
    ['th-TH-u-ca-gregory', 'th-TH', / 20\d\d$/],
    ['en-GB-oed', 'en-GB', /^\d+ \p{L}+ \d{4}$/u],
  ])('%s selects %s, honours its extension, and gives no alert', async (tag, selected, date) => {
    const page = await pageWith({ languageTag: tag });
    expect(page.languageTag.selected).toEqual([selected]);
    expect(page.alert).toBeUndefined();
    expect(page.date).toMatch(date);
  });

  it('de-u-hc-h12 writes the time with twelve hours', async () => {
    expect((await pageWith({ languageTag: 'de-u-hc-h12', zoneID: 'UTC' })).time).toMatch(/^\d{1,2}:\d\d:\d\d [AP]M$/);
  });
});

describe('a link that carries a choice', () => {
  const link = '/clock/time?languageTag=ja-JP&zoneID=Asia%2FKolkata';

  it('is shown and not stored', async () => {
    const visitor = new Visitor(service.url);
    await visitor.choose({ languageTag: 'de-DE', zoneID: 'Europe/Berlin' });
    const shown = parseClockPage(await (await visitor.ask(link)).text());
    expect([shown.languageTag.selected, shown.zoneID.selected]).toEqual([['ja-JP'], ['Asia/Kolkata']]);
    const stored = await visitor.page();
    expect([stored.languageTag.selected, stored.zoneID.selected]).toEqual([['de-DE'], ['Europe/Berlin']]);
  });

  it('is linked on the page of that choice', async () => {
    const { html } = await pageWith({ languageTag: 'ja-JP', zoneID: 'Asia/Kolkata' });
    expect(html).toContain(`<a href="${link.replace('&', '&amp;')}">インド標準時</a>`);
  });

  it.each([
    ['/clock/time?zoneID=%3Cscript%3E', 'GMT', '<script>'],
    ['/clock/time?zoneID=%E0%A4%A', 'GMT', 'The time zone'],
    ['/clock/time?zoneID=UTC&zoneID=Asia/Tokyo&x=%00', 'UTC', undefined],
    ['/clock/time?', 'UTC', undefined],
  ])('%s answers with a page in %s', async (address, zone, alert) => {
    const answer = await new Visitor(service.url).ask(address);
    const page = parseClockPage(await answer.text());
    expect([answer.status, page.zoneID.selected]).toEqual([200, [zone]]);
    if (alert === undefined) expect(page.alert).toBeUndefined();
    else expect(page.alert).toContain(alert);
  });
});

describe('a stored value that is not understood', () => {
  it.each(rubbish)('as languageTag %.30j gives a page with one locale and one escaped, short alert', async (text) => {
    const { html, languageTag, alert } = await pageWith({ languageTag: text });
    expect(languageTag.selected).toHaveLength(1);
    expectOneAlert(html, alert, text);
  });

  it.each(rubbish)('as zoneID %.30j gives a page in GMT with one escaped, short alert', async (text) => {
    const { html, zoneID, alert } = await pageWith({ zoneID: text });
    expect(zoneID.selected).toEqual(['GMT']);
    expectOneAlert(html, alert, text);
  });

  function expectOneAlert(html: string, alert: string | undefined, text: string): void {
    const alerts = alertsIn(html);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.length).toBeLessThan(500);
    expect(alerts[0]).not.toContain('<');
    if (text.length < 30 && /^[\w/+:<>="'() -]+$/.test(text)) expect(alert).toContain(text);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
    expect(html.match(/<script/g)).toHaveLength(3);
  }

  it('has an alert of its own for locale and zone, in the language of the page', async () => {
    const { html } = await pageWith({ languageTag: 'de-XX', zoneID: 'Mars/Olympus' });
    expect(alertsIn(html)).toEqual([expect.stringContaining('de-XX'), expect.stringContaining('Mars/Olympus')]);
    expect(html).toContain('<html lang="de"');
  });

  it('falls back to the default locale for an empty language tag, and to GMT for an empty zone', async () => {
    const page = await pageWith({ languageTag: '', zoneID: '' }, { 'accept-language': 'fr-FR' });
    expect([page.languageTag.selected, page.zoneID.selected]).toEqual([['fr-FR'], ['GMT']]);
    expect(page.alert).toBeDefined();
  });
});

it('a stored zone may be an offset, which is selected and gives no alert', async () => {
  const page = await pageWith({ languageTag: 'en-GB', zoneID: 'GMT+5:45' });
  expect(utcPlus(345)).toContain(page.time.slice(0, 5));
  expect(page.zoneID.selected).toHaveLength(1);
  expect(page.alert).toBeUndefined();
});
