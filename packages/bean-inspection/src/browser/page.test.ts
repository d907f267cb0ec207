import { once } from 'node:events';
import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { serveBeans } from '../../../../test/support/serve-beans.ts';
import { assetAnswer, assetNames } from './assets.ts';
import { html } from './html.ts';
import { page, timeText } from './page.ts';

describe('html', () => {
  it('escapes text in elements and attributes, and keeps markup', () => {
    const inner = html`<b title="${'"<>&\''}">${'<script>'}</b>`;
    expect(html`<p>${inner}${['&', inner]}</p>`.toString()).toBe(`<p>${inner.toString()}&#38;${inner.toString()}</p>`);
    expect(inner.toString()).toBe('<b title="&#34;&#60;&#62;&#38;&#39;">&#60;script&#62;</b>');
  });

  it('leaves out what is undefined or false, and writes numbers', () => {
    expect(html`${undefined}${false}${0}${''}`.toString()).toBe('0');
  });
});

describe('page', () => {
  it('links to its files and sections below the prefix, and names the application', () => {
    const site = { prefix: '/internal', startPage: '/', application: '<shop>' };
    const text = page(site, { title: 'A & B', section: 'graph', main: html`<h1>Hello</h1>` });
    expect(text).toContain(`<link rel="stylesheet" href="/internal/browser/${assetNames.style}">`);
    expect(text).toContain(`src="/internal/browser/${assetNames.script}"`);
    expect(text).toContain('<a href="/internal/graph" aria-current="page">Graph</a>');
    expect(text).toContain('<bdi>&#60;shop&#62;</bdi>');
    expect(text).toContain('<title>A &#38; B</title>');
    expect(text).toContain('<a class="brand" href="/">');
    const withoutStart = page({ prefix: '/internal' }, { title: 'Beans', main: html`` });
    expect(withoutStart).toContain('<a class="brand" href="/internal/bean">');
    expect(text).toContain('<form role="search" action="/internal/bean">');
  });

  it('leaves the search field out of the bar where the page has its own', () => {
    expect(page({ prefix: '' }, { title: 'Beans', hasSearch: true, main: html`` })).not.toContain('role="search"');
  });
});

it('shows the time of day in UTC, whatever the zone of the process', () => {
  expect(timeText(new Date('2026-11-17T23:59:58.999+09:00'))).toBe('14:59:58 UTC');
});

describe('the style sheet and the script', () => {
  it.each(['style', 'script'] as const)('are served, compressed as the client accepts it: %s', (kind) => {
    const [plain, gzip] = [undefined, 'gzip'].map((accepted) => assetAnswer(assetNames[kind], accepted));
    expect(plain?.headers).not.toHaveProperty('content-encoding');
    expect(gzip?.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip?.body as Buffer)).toEqual(plain?.body);
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0, br', undefined],
    ['identity', undefined],
  ])('are sent for Accept-Encoding %s as %s', async (accepted, encoding) => {
    const { url, close } = await serveBeans({});
    const headers = { 'accept-encoding': accepted };
    const [answer] = await once(get(`${url}/jig/browser/${assetNames.script}`, { headers }), 'response');
    answer.resume();
    await close();
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
  });

  it('are the only files', () => {
    for (const name of ['style.css', `../assets/${assetNames.style}`])
      expect(() => assetAnswer(name, undefined)).toThrow('there is no such file');
  });

  it('have a script of less than 12 kB compressed', () => {
    expect((assetAnswer(assetNames.script, 'gzip').body as Buffer).length).toBeLessThan(12_000);
  });
});
