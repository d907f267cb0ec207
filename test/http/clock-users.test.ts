import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

const path = '/clock/time';
const { tags: tagText, zones: zoneText } = JSON.parse(
  readFileSync(new URL('../../packages/clock/data/tables.json', import.meta.url), 'utf8'),
) as { tags: string; zones: string };
const tags = tagText.split(' ');
const ids = zoneText.split(',').map((row) => row.split(' ')[0] ?? '');

const selectedIn = (page: string) =>
  [...page.matchAll(/<option value="([^"]*)" selected="selected">/g)].map(([, value]) => value);

/** All act at the same moment, then rest: who sees what is asked here, not how much the machine can bear. */
const nextBeat = () => sleep(500 - (Date.now() % 500));

async function choose(url: string, cookie: string, form: Record<string, string>) {
  const answer = await fetch(url + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers: { cookie },
  });
  await answer.arrayBuffer();
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie };
}

describe('a hundred users at the same time, for a minute', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await startService({ environment: withoutDatabase });
  });

  afterAll(() => service.stop());

  it('each see their own choice and nobody else’s, and nothing is lost', { timeout: 240_000 }, async () => {
    const end = Date.now() + 60_000;
    const visits = await Promise.all(
      Array.from({ length: 100 }, async (_, user) => {
        let cookie = '';
        let count = 0;
        for (let round = 0; Date.now() < end; round++) {
          const languageTag = tags[(user * 7 + round * 13) % tags.length] ?? '';
          const zoneID = ids[(user * 11 + round * 17) % ids.length] ?? '';
          const choice = await choose(service.url, cookie, { languageTag, zoneID, user: `${user}` });
          expect(choice.status).toBe(302);
          cookie = choice.cookie;
          const page = await (await fetch(service.url + path, { headers: { cookie } })).text();
          expect(selectedIn(page)).toEqual([languageTag, zoneID]);
          const session = await fetch(`${service.url}/jig/bean/session.json`, { headers: { cookie } });
          expect(await session.json()).toEqual({ languageTag, zoneID, user: `${user}` });
          count++;
          await nextBeat();
        }
        return count;
      }),
    );
    expect(Math.min(...visits)).toBeGreaterThan(10);
  });
});

describe('when the session store is down', () => {
  let application: MadeApplication;
  let service: RunningService;

  beforeAll(async () => {
    const main = mainWith(`[clockFeature, { name: 'flaky', register(host) {
      const store = {
        isDown: false,
        read: async () => { if (store.isDown) throw new Error('no connection to 10.0.0.1'); return { attributes: new Map([['languageTag', 'de']]), expires: Date.now() + 1e6 }; },
        merge: async () => { if (store.isDown) throw new Error('no connection to 10.0.0.1'); return 'stored'; },
        touch: async () => {}, destroy: async () => {}, count: async () => 0,
      };
      host.define('flakyStore', { type: 'FlakyStore', create: () => store });
      host.sessionStore({ name: 'flaky', priority: -1, bean: 'flakyStore' });
      host.routes(async (server) => { server.get('/break', async () => { store.isDown = true; return 'broken'; }); });
    } }]`);
    application = await makeApplication({
      main: `import { clockFeature } from '@jig/clock';\n${main}`,
      dependencies: ['@jig/clock'],
    });
    service = await startService({
      main: application.main,
      workingDirectory: application.folder,
      environment: { JIG_SESSIONS_STORE: 'flaky' },
    });
  });

  afterAll(async () => {
    await service.stop();
    await application.remove();
  });

  it('the page is shown with the defaults and says so, and a form is answered with 503', async () => {
    const { cookie } = await choose(service.url, '', { languageTag: 'de' });
    const headers = { cookie, 'accept-language': 'fr' };
    expect(selectedIn(await (await fetch(service.url + path, { headers })).text())[0]).toBe('de');

    await fetch(`${service.url}/break`);
    const started = Date.now();
    const answer = await fetch(service.url + path, { headers });
    const page = await answer.text();
    expect(Date.now() - started).toBeLessThan(5000);
    expect(answer.status).toBe(200);
    expect(selectedIn(page)[0]).toBe('fr');
    expect(page).toMatch(/<div role="alert">[^<]+<\/div>/);
    expect(page).not.toContain('10.0.0.1');
    expect((await choose(service.url, cookie, { languageTag: 'de' })).status).toBe(503);
  });
});
