import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

const service = useService();

async function pageOf(languageTag: string, zoneID: string) {
  const visitor = new Visitor(service.url);
  await visitor.choose({ languageTag, zoneID });
  return visitor.page();
}

const clockHealth = async () => {
  const health = (await (await fetch(`${service.url}/health`)).json()) as { parts: Record<string, unknown> };
  return health.parts.clock;
};

const footer = async () => {
  const { html } = await new Visitor(service.url, { 'accept-language': 'en' }).page();
  return /<footer>([^<]*)<\/footer>/.exec(html)?.[1];
};

describe('the time and the date on the page', () => {
  it.each([
    ['en-US', 'America/Los_Angeles'],
    ['ar-EG', 'Africa/Cairo'],
    ['th-TH', 'Asia/Bangkok'],
    ['de-DE', 'Pacific/Kiritimati'],
    ['en-GB', 'Etc/GMT+12'],
  ])('are the current ones, medium and long, in %s and %s', async (tag, timeZone) => {
    const before = Date.now();
    const page = await pageOf(tag, timeZone);
    const times = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone });
    const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone });
    const moments = [];
    for (let moment = before; moment < Date.now() + 1000; moment += 1000) moments.push(moment);
    expect(moments.map((moment) => times.format(moment))).toContain(page.time);
    expect(moments.map((moment) => dates.format(moment))).toContain(page.date);
  });

  it.each([
    ['America/Vancouver', -7],
    ['America/Winnipeg', -5],
    ['Africa/Casablanca', 0],
  ])('follow the rules of 2026 in %s', async (zoneID, hours) => {
    const { html } = await pageOf('en-GB', zoneID);
    const [, now, time] = /data-now="(\d+)"[^>]*>\s*<h1[^>]*>([^<]*)</.exec(html) ?? [];
    expect(time).toBe(new Date(Number(now) + hours * 3_600_000).toISOString().slice(11, 19));
  });
});

describe('the data of the clock', () => {
  it('is named in /health and in the footer: the release of CLDR', async () => {
    expect(await clockHealth()).toMatchObject({
      ok: true,
      details: { cldr: expect.stringMatching(/^\d+\./) as string },
    });
    expect(await footer()).toMatch(/^Names from CLDR \d+/);
  });

  it('is named in /health and in the footer: the release of the time zones', async () => {
    const data = createRequire(new URL('../../packages/clock/package.json', import.meta.url));
    const { version: tz } = data('moment-timezone/data/packed/latest.json') as { version: string };
    expect(await clockHealth()).toMatchObject({
      state: expect.stringContaining(`time zones ${tz}`) as string,
      details: { tz },
    });
    expect(await footer()).toMatch(new RegExp(`, time zones ${tz}$`));
  });
});

describe('GET /clock/time.json', () => {
  const texts = async (visitor: Visitor, query = '') => {
    const answer = await visitor.ask(`/clock/time.json${query}`);
    return { answer, body: (await answer.json()) as Record<string, unknown> };
  };

  it('returns the texts of the page and nothing else, with no-store', async () => {
    const visitor = new Visitor(service.url);
    await visitor.choose({ languageTag: 'de-DE', zoneID: 'Asia/Tokyo' });
    const { answer, body } = await texts(visitor);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(body).toEqual({
      languageTag: 'de-DE',
      zoneID: 'Asia/Tokyo',
      isZoneChosen: true,
      now: expect.any(Number) as number,
      offset: 9 * 3_600_000,
      until: expect.any(Number) as number,
      time: expect.stringMatching(/^\d\d:\d\d:\d\d$/) as string,
      date: (await visitor.page()).date,
      zoneName: 'Japanische Normalzeit',
      difference: '',
    });
    expect(JSON.stringify(body).length).toBeLessThan(400);
  });

  it('returns the choice of a link, and the difference to the zone of the browser', async () => {
    const { body } = await texts(
      new Visitor(service.url),
      '?languageTag=de&zoneID=Asia/Kathmandu&browserZone=Asia/Tokyo',
    );
    expect(body).toMatchObject({ languageTag: 'de', zoneID: 'Asia/Kathmandu' });
    expect(body.difference).toBe(' = Japanische Normalzeit -3,25 Stunden');
  });

  it('uses the zone of the browser if none was chosen', async () => {
    const { body } = await texts(new Visitor(service.url), '?browserZone=Asia/Tokyo');
    expect(body).toMatchObject({ zoneID: 'Asia/Tokyo', isZoneChosen: false, difference: '' });
  });
});
