import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
});

afterAll(() => service.stop());

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
    ['fa-IR', 'Asia/Tehran'],
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
    ['Canada/Pacific', -7],
    ['America/Edmonton', -6],
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
      details: { madeFrom: { names: expect.stringMatching(/^\d+\./) as string } },
    });
    expect(await footer()).toMatch(/^Names from CLDR \d+/);
  });

  it('is named in /health, in the footer and in the bean zoneRules: the newest release of the time zones', async () => {
    const data = createRequire(new URL('../../packages/clock/package.json', import.meta.url));
    const { version: packaged } = data('moment-timezone/data/packed/latest.json') as { version: string };
    const icu = process.versions.tz ?? '';
    const release = packaged > icu ? packaged : icu;
    expect(await clockHealth()).toMatchObject({
      state: expect.stringContaining(`time zones ${release}`) as string,
      details: { timeZones: { release, available: { packaged, icu } } },
    });
    expect(await footer()).toMatch(new RegExp(`, time zones ${release}$`));
    const bean = await (await fetch(`${service.url}/jig/bean/zoneRules.json`)).json();
    expect(bean).toMatchObject({ release, available: { packaged, icu } });
  });
});
