import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startInProcess, useService } from '../support/in-process.ts';
import { makeApplication } from '../support/make-application.ts';
import { withoutDatabase } from '../support/start-service.ts';
import { choose, cookieOf, sessionOf } from './clock-visitor.ts';

const service = useService();

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

describe('a session id that this server did not issue', () => {
  it.each([
    ['made up', () => `${random(32)}.${random(32)}`],
    ['unsigned', () => random(32)],
    ['empty', () => ''],
    ['overlong', () => 'x'.repeat(4000)],
    ['a path', () => '../../../etc/passwd'],
    ['a query', () => "' OR '1'='1"],
  ])('is never accepted: %s', async (_, value) => {
    const planted = value();
    const given = cookieOf(await choose(service.url, { a: 'b' }, { cookie: `jig-session=${planted}` }));
    expect(given).toMatch(/^jig-session=[\w-]{43}\./);
    expect(given).not.toBe(`jig-session=${planted}`);
  });

  it('is not accepted with the signature of another id', async () => {
    const cookie = cookieOf(await choose(service.url, { languageTag: 'de' }));
    const [, signature = ''] = cookie.split('.');
    const forged = `jig-session=${random(32)}.${signature}`;
    expect(cookieOf(await choose(service.url, { a: 'b' }, { cookie: forged }))).not.toBe(forged);
    const page = await (await fetch(`${service.url}/clock/time`, { headers: { cookie: forged } })).text();
    expect(page).toContain('<html lang="en');
  });

  it('is not read from the URL', async () => {
    const cookie = cookieOf(await choose(service.url, { languageTag: 'de' }));
    for (const query of [cookie, `;${cookie}`, `session=${cookie.split('=')[1]}`]) {
      expect(await (await fetch(`${service.url}/clock/time?${query}`)).text()).toContain('<html lang="en');
    }
  });

  it('is ignored together with a valid one in the same request', async () => {
    const own = cookieOf(await choose(service.url, { languageTag: 'de' }));
    const planted = cookieOf(await choose(service.url, { languageTag: 'fr' }));
    const headers = { cookie: `${own}; ${planted}` };
    expect(await (await fetch(`${service.url}/clock/time`, { headers })).text()).toContain('<html lang="en');
  });
});

describe('a session id that was valid', () => {
  it('is not accepted by a server with another secret', async () => {
    const cookie = cookieOf(await choose(service.url, { languageTag: 'de' }));
    const other = await startInProcess({ environment: withoutDatabase });
    expect(cookieOf(await choose(other.url, { a: 'b' }, { cookie }))).not.toBe(cookie);
    await other.stop();
  });

  it('is invalid after the session was renewed, and the new id has the attributes', async () => {
    const features = `[{ name: 'login', register(host) { host.routes(async (server) => {
      server.get('/begin', async ({ session }) => { await session.set('cart', 'full'); return 'begun'; });
      server.get('/login', async ({ session }) => { await session.regenerate(); return 'renewed'; });
      server.get('/logout', async ({ session }) => { await session.destroy(); return 'gone'; });
      server.get('/show', async ({ session }) => [...(await session.entries())]);
    }) } }]`;
    const application = await makeApplication({ features });
    const made = await startInProcess({ main: application.main, workingDirectory: application.folder });
    const get = (path: string, cookie = '') => fetch(made.url + path, { headers: { cookie } });
    const show = async (cookie: string) => (await get('/show', cookie)).json();
    const before = cookieOf((await get('/begin')).headers.getSetCookie()[0] ?? '');
    const after = cookieOf((await get('/login', before)).headers.getSetCookie()[0] ?? '');
    expect(after).not.toBe(before);
    expect(await show(before)).toEqual([]);
    expect(await show(after)).toEqual([['cart', 'full']]);
    const withdrawn = (await get('/logout', after)).headers.getSetCookie()[0];
    expect(withdrawn).toContain('Max-Age=0');
    expect(await show(after)).toEqual([]);
    await made.stop();
    await application.remove();
  });
});

describe('two visitors', () => {
  it('never see the attributes of each other', async () => {
    const [one, other] = await Promise.all([
      choose(service.url, { languageTag: 'de', secretOfOne: 'x1' }),
      choose(service.url, { languageTag: 'fr', secretOfOther: 'x2' }),
    ]);
    const [first, second] = await Promise.all([one, other].map((header) => sessionOf(service.url, cookieOf(header))));
    expect(JSON.stringify(first)).not.toContain('secretOfOther');
    expect(JSON.stringify(second)).not.toContain('secretOfOne');
  });
});
