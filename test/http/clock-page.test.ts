import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

const path = '/clock/time';
const service = useService({ JIG_CLOCK_ZONE: 'America/Los_Angeles' });

async function htmlOf(choice: Readonly<Record<string, string>> = {}): Promise<string> {
  const visitor = new Visitor(service.url);
  await visitor.choose(choice);
  return (await visitor.page()).html;
}

describe('the markup of GET /clock/time', () => {
  it('is exactly this in en-US and America/Los_Angeles, apart from attributes for accessibility and the script', async () => {
    const html = await htmlOf();
    const markup = html
      .slice(html.indexOf('<main'), html.indexOf('</main>'))
      .replace(/ (?:aria-label|autocomplete|data-[a-z]+)="[^"]*"/g, '');
    expect(markup).toMatch(
      /^<main class="container">\n<div class="jumbotron">\n<h1 class="text-center">\d{1,2}:\d\d:\d\d [AP]M<\/h1>\n<h1 class="text-center">[A-Z][a-z]+ \d{1,2}, \d{4}<\/h1>\n<\/div>\n<form class="row" method="post" action="\/clock\/time">\n<select class="col-lg" name="languageTag">\n<option value="af">af - Afrikaans<\/option>\n/,
    );
    expect(markup).toContain('<option value="en-US" selected="selected">en-US - English (United States)</option>');
    expect(markup).toContain(
      '<select class="col-lg" name="zoneID">\n<option value="Etc/GMT+12">Etc/GMT+12 - GMT-12:00</option>',
    );
    expect(markup).toContain(
      '<option value="America/Los_Angeles" selected="selected">America/Los_Angeles - Pacific Standard Time</option>',
    );
    expect(markup).toContain('<option value="Europe/Saratov">Europe/Saratov - Samara Standard Time</option>');
    expect(markup).toMatch(/<\/select>\n<button class="col-sm-1" type="submit">↻<\/button>\n<\/form>\n$/);
  });

  it.each([
    ['with defaults', {}],
    ['with an alert', { languageTag: 'rubbish!', zoneID: 'rubbish!' }],
    ['from right to left', { languageTag: 'ar-EG' }],
  ])('has the specified classes and no others: %s', async (_case, choice) => {
    const markup = (await htmlOf(choice)).replace(/<script>.*?<\/script>/gs, '');
    const classes = [...markup.matchAll(/\sclass\s*=\s*["']?([^"'>]*)/g)].map(([, value = '']) => value);
    const headings = ['text-center', 'text-center'];
    const form = ['row', 'col-lg', 'col-lg', 'col-sm-1'];
    expect(classes).toEqual(['browserupgrade', 'container', 'jumbotron', ...headings, ...form]);
    expect(markup).not.toMatch(/\sstyle\s*=|<style/);
  });

  it('links one stylesheet and two scripts at addresses with the installed versions, to be cached for good', async () => {
    const html = await htmlOf();
    const sheets = [...html.matchAll(/<link\s[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
    const scripts = [...html.matchAll(/<script\s[^>]*src="([^"]+)"/g)].map(([, source = '']) => source);
    expect([sheets.length, scripts.length]).toEqual([1, 2]);
    const version = (name: string) => {
      const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    };
    const bootstrap = `/assets/bootstrap/${version('bootstrap')}/`;
    expect(sheets[0]).toMatch(new RegExp(`^${bootstrap}`));
    expect(scripts.some((source) => source.startsWith(bootstrap))).toBe(true);
    expect(scripts.some((source) => source.startsWith(`/assets/jquery/${version('jquery')}/`))).toBe(true);
    for (const address of [...sheets, ...scripts]) {
      const answer = await fetch(service.url + address, { headers: { 'accept-encoding': 'br' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(address.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(answer.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('has the upgrade notice in a conditional comment, in the language of the page', async () => {
    const notice = (html: string) =>
      /<!--\[if lte IE 9\]><p class="browserupgrade">([^<]+(?:<[^!][^<]*)*)<\/p><!\[endif\]-->/.exec(html)?.[1];
    const english = notice(await htmlOf({ languageTag: 'en-US' }));
    const german = notice(await htmlOf({ languageTag: 'de-DE' }));
    expect(english).toMatch(/^You are using[^<]+$/);
    expect(english).toContain('browser');
    expect(german).toBeDefined();
    expect(german).not.toBe(english);
  });

  it.each([
    ['ar-EG', 'rtl'],
    ['de-DE', 'ltr'],
  ])('in %s has lang and dir=%s', async (languageTag, direction) => {
    const start = `<!doctype html>\n<html lang="${languageTag}" dir="${direction}"`;
    expect((await htmlOf({ languageTag })).slice(0, start.length)).toBe(start);
  });

  it('writes Arabic digits in ar-EG', async () => {
    expect(await htmlOf({ languageTag: 'ar-EG' })).toContain('غرينتش-١٢:٠٠');
  });
});

describe('the response of GET /clock/time', () => {
  it('is private HTML with Vary, and sets no cookie', async () => {
    const { headers } = await fetch(service.url + path);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie, Accept-Language, Accept-Encoding');
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^']+';/);
  });

  it('is compressed by gzip when the client accepts it, otherwise plain', async () => {
    const fetchRaw = async (encoding: string) => {
      const answer = await request(service.url, `GET ${path}`, { 'accept-encoding': encoding });
      const body = Buffer.from(answer.body, 'latin1');
      expect(body.length).toBe(Number(answer.headers.get('content-length')));
      return { encoding: answer.headers.get('content-encoding'), body };
    };
    const marked = '<option value="en-US" selected="selected">';
    const gzip = await fetchRaw('gzip, deflate');
    expect(gzip.encoding).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toContain(marked);
    for (const header of ['identity', 'br', 'gzip;q=0', 'zstd', 'nonsense;;;']) {
      const plain = await fetchRaw(header);
      expect(plain.encoding).toBeUndefined();
      expect(plain.body.toString()).toContain(marked);
    }
  });

  it('has no body for HEAD, but Content-Length', async () => {
    const head = await request(service.url, `HEAD ${path}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100_000);
  });

  it('is 405 for other methods, with Allow', async () => {
    const answer = await request(service.url, `PUT ${path}`, { 'content-length': '0' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});
