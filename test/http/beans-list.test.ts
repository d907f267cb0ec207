import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { useService } from '../support/in-process.ts';
import { listBeans } from '../support/list-beans.ts';
import { startWithBeans } from '../support/start-with-beans.ts';

const beans = new Map(['a.b', 'with/slash', 'ключ 😀', 'closed'].map((name) => [name, { name }]));

describe('the list of beans', () => {
  let application: RunningApplication;

  beforeAll(async () => {
    application = await startWithBeans(beans, ['--beanInspection.deny=closed,secret*']);
  });

  afterAll(() => application[Symbol.asyncDispose]());

  it('has every bean that is open, with links that work, and creates none of them', async () => {
    const listed = await listBeans(application.url);
    const names = listed.map(({ name }) => name);
    const expected = ['configuration', 'process', 'server', 'addOns', 'session', 'a.b', 'with/slash', 'ключ 😀'];
    expect(names).toEqual(expect.arrayContaining(expected));
    expect(names).not.toContain('closed');
    expect(listed.find(({ name }) => name === 'lazy')).toMatchObject({
      type: 'Lazy',
      scope: 'singleton',
      owner: 'test beans',
      dependencies: [],
      instantiated: false,
    });
    for (const { name, links } of listed.filter((each) => each.name !== 'lazy')) {
      expect([name, (await fetch(application.url + links.json)).status]).toEqual([name, 200]);
      expect([name, (await fetch(application.url + links.xml)).status]).toEqual([name, 200]);
    }
  });

  it('comes as JSON, XML or HTML by Accept and by extension', async () => {
    const types = async (path: string, accept?: string) =>
      (await fetch(application.url + path, accept === undefined ? {} : { headers: { accept } })).headers.get(
        'content-type',
      );
    expect(await types('/jig/bean')).toBe('application/json');
    expect(await types('/jig/bean', 'application/xml')).toBe('application/xml');
    expect(await types('/jig/bean', 'application/xml;q=0.5, application/json;q=0.4')).toBe('application/xml');
    expect(await types('/jig/bean.xml')).toBe('application/xml');
    expect(await types('/jig/bean.json', 'text/html')).toBe('application/json');
    expect(await types('/jig/bean', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toBe(
      'text/html; charset=utf-8',
    );
    expect(await types('/jig/bean', 'application/json;q=0, */*')).toBe('application/xml');
    expect(await types('/jig/bean', 'application/json;q=0, application/xml;q=0, */*')).toBe('text/html; charset=utf-8');
    expect(await types('/jig/bean', 'text/xml')).toBe('application/xml');
    expect(await types('/jig/bean', ';q=rubbish')).toBe('application/json');
  });

  it.each(['application/json;q=0', 'image/png', '*/*;q=0'])('is 406 for Accept: %s', async (accept) => {
    const answer = await fetch(`${application.url}/jig/bean`, { headers: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([406, 'application/problem+json']);
    expect(((await answer.json()) as { detail: string }).detail).toContain('application/json, application/xml');
    const refused = await fetch(`${application.url}/jig/bean`, { headers: { accept, 'sec-fetch-site': 'cross-site' } });
    expect(refused.status).toBe(403);
  });

  it('is, as HTML, a page that escapes names and allows no script but its own', async () => {
    const answer = await fetch(`${application.url}/jig/bean`, { headers: { accept: 'text/html' } });
    const page = await answer.text();
    expect(page).toContain('href="/jig/bean/with%2Fslash.json?pretty"');
    expect(page).toContain('<bdi>Made</bdi>');
    expect(page.split('<script')).toHaveLength(2);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';.*require-trusted-types-for 'script'/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
  });
});

describe('the list of beans of the service', () => {
  const service = useService();

  it('has the beans of the host and of the clock', async () => {
    const listed = await listBeans(service.url);
    const host = ['configuration', 'addOns', 'sessions', 'session', 'server', 'process'];
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining([...host, 'clock', 'locales', 'zones']));
    expect(listed.find(({ name }) => name === 'session')?.scope).toBe('session');
  });
});
