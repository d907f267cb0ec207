import { readFileSync } from 'node:fs';
import type { Feature } from '@jig/application';
import { clockFeature } from '@jig/clock';
import type { SessionStore } from '@jig/sessions';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

const firstColumn = (file: string) =>
  readFileSync(new URL(`../../packages/clock/data/${file}`, import.meta.url), 'utf8').match(/^\S+/gm) ?? [];
/** A few of them, since the first page of each choice takes the most work. */
const tags = firstColumn('locales.txt').filter((_tag, place) => place % 100 === 0);
const ids = firstColumn('zones.txt').filter((_id, place) => place % 50 === 0);

/** More than there are names of attributes, so that later rounds overwrite what earlier ones stored. */
const rounds = 5;
const names = 4;

/** A page that is not compressed costs this process a third; every fourth user gets one that is. */
const headersOf = (user: number): Record<string, string> => (user % 4 === 0 ? {} : { 'accept-encoding': 'identity' });

const selectedIn = (html: string) =>
  [...html.matchAll(/<option value="([^"]*)" selected="selected"/g)].map(([, value]) => value);

describe('parallel users', () => {
  const service = useService();

  it('each see only their own choices, and lose none, when thirty act at the same time', async () => {
    const users = Array.from({ length: 30 }, (_, user) => ({
      user,
      visitor: new Visitor(service.url, headersOf(user)),
      kept: {} as Record<string, string>,
    }));
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        users.map(async ({ user, visitor, kept }) => {
          const languageTag = tags[(user * 7 + round * 13) % tags.length] ?? '';
          const zoneID = ids[(user * 11 + round * 17) % ids.length] ?? '';
          const posted = { languageTag, zoneID, [`round${round % names}`]: `user ${user}, round ${round}` };
          expect((await visitor.choose(posted)).status).toBe(302);
          const page = await visitor.ask('/clock/time');
          expect(selectedIn(await page.text())).toEqual([languageTag, zoneID]);
          expect(await visitor.attributes()).toEqual(Object.assign(kept, posted));
        }),
      );
    }
  });

  it('lose nothing when one of them posts 50 forms at the same time', async () => {
    const visitor = new Visitor(service.url);
    await visitor.choose({ first: '1' });
    await Promise.all(Array.from({ length: 50 }, (_, place) => visitor.choose({ [`k${place}`]: `${place}` })));
    expect(Object.keys(await visitor.attributes())).toHaveLength(51);
  });
});

describe('when the session store is down', () => {
  let isDown = false;
  const ask = async () => {
    if (isDown) throw new Error('no connection to 10.0.0.1');
  };
  const store: SessionStore = {
    async read() {
      await ask();
      return { attributes: new Map([['languageTag', 'de']]), expires: Date.now() + 1e6 };
    },
    async merge() {
      await ask();
      return 'stored' as const;
    },
    touch: async () => {},
    destroy: async () => {},
    count: async () => 0,
  };
  const flaky: Feature = {
    name: 'flaky',
    register(host) {
      host.define('flakyStore', { type: 'FlakyStore', create: () => store });
      host.sessionStore({ name: 'flaky', priority: -1, bean: 'flakyStore' });
    },
  };

  it('GET /clock/time shows the defaults and an alert, and POST /clock/time is 503', async () => {
    await using application = await startApplication([clockFeature, flaky], ['--sessions.store=flaky']);
    const visitor = new Visitor(application.url, { 'accept-language': 'fr' });
    await visitor.choose({ languageTag: 'de' });
    expect((await visitor.page()).languageTag.selected).toEqual(['de']);

    isDown = true;
    const page = await visitor.page();
    expect(page.languageTag.selected).toEqual(['fr']);
    expect(page.html).toMatch(/<div role="alert">[^<]+<\/div>/);
    expect(page.html).not.toContain('10.0.0.1');
    expect((await visitor.choose({ languageTag: 'de' })).status).toBe(503);
  });
});
