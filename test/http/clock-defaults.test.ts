import { describe, expect, it } from 'vitest';
import { parseClockPage } from '../support/clock-page.ts';
import { request } from '../support/exchange.ts';
import { startInProcess, useService } from '../support/in-process.ts';
import { withoutDatabase } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';

const service = useService({ JIG_CLOCK_ZONE: 'Asia/Kolkata' });
const visitor = (headers: Record<string, string> = {}) => new Visitor(service.url, headers);

/** The page that a service with this environment shows to a new visitor. */
async function firstPage(environment: NodeJS.ProcessEnv = {}, headers: Record<string, string> = {}) {
  const other = await startInProcess({ environment: { ...withoutDatabase, ...environment } });
  try {
    return await new Visitor(other.url, headers).page();
  } finally {
    await other.stop();
  }
}

describe('the default locale', () => {
  it('is the best match for Accept-Language', async () => {
    const page = await visitor({ 'accept-language': 'xx, DE-AT;q=0.9, fr;q=0.8' }).page();
    expect(page.languageTag.selected).toEqual(['de-AT']);
  });

  it.each(['"><img src=x onerror=alert(1)>', 'a'.repeat(4000)])(
    'is en-US without an alert when Accept-Language matches nothing: %.30j',
    async (header) => {
      const answer = await request(service.url, 'GET /clock/time', { 'accept-language': header });
      expect(answer.status).toBe(200);
      const { html, languageTag } = parseClockPage(Buffer.from(answer.body, 'latin1').toString());
      expect(languageTag.selected).toEqual(['en-US']);
      expect(html).not.toContain('role="alert"');
    },
  );

  it('is en-US without Accept-Language', async () => {
    const { body } = await request(service.url, 'GET /clock/time');
    expect(body).toContain('<option value="en-US" selected="selected">');
  });
});

describe('the default zone', () => {
  it('is the zone of the browser until the user chooses one', async () => {
    const browserZone = 'clock-zone=Asia%2FTokyo';
    const before = await visitor({ cookie: browserZone }).page();
    expect(before.zoneID.selected).toEqual(['Asia/Tokyo']);
    expect(before.html).toContain('data-chosen="false"');
    const chosen = await visitor({ cookie: browserZone }).choose({ zoneID: 'Asia/Kolkata' });
    const session = chosen.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const after = await visitor({ cookie: `${browserZone}; ${session}` }).page();
    expect(after.zoneID.selected).toEqual(['Asia/Kolkata']);
    expect(after.html).toContain('data-chosen="true"');
  });
});

describe('clock.locale and clock.zone', () => {
  const environment = { JIG_CLOCK_ZONE: 'Asia/Kolkata', JIG_CLOCK_LOCALE: 'pt-BR' };

  it('set the defaults, and do not override Accept-Language', async () => {
    const page = await firstPage(environment);
    expect([page.languageTag.selected, page.zoneID.selected]).toEqual([['pt-BR'], ['Asia/Kolkata']]);
    expect((await firstPage(environment, { 'accept-language': 'de' })).languageTag.selected).toEqual(['de']);
  });
});
