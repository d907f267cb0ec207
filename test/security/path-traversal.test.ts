import { beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';

const service = useService();
let asset: string;

beforeAll(async () => {
  const page = await (await fetch(`${service.url}/clock/time`)).text();
  asset = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
});

const dots = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%uff0e%uff0e',
  '....',
  '..;',
  '..%00',
  '．．',
];
const slashes = ['/', '%2f', '%252f', '\\', '%5c', '%255c', '%c0%af', '%u2215', '//', '%2f%2f', '/./', '%00/'];
const targets = ['package.json', 'etc/passwd', 'dist/main.js', '.jig/session-secret'];

const spellings = dots.flatMap((dot) =>
  slashes.flatMap((slash) => targets.map((target) => (dot + slash).repeat(6) + target)),
);

/** Addresses are sent as bytes, as an attacker would, not as a browser would tidy them up. */
const get = (path: string) => request(service.url, `GET ${Buffer.from(path).toString('latin1')}`);

describe('an asset', () => {
  it('is served at its published address only', async () => {
    expect((await get(asset)).status).toBe(200);
    expect((await get(`${asset}?any=query`)).status).toBe(200);
    const [, assets = '', library = '', version = '', file = ''] = asset.split('/');
    const others = [
      `/${assets}//${library}/${version}/${file}`,
      `//${assets}/${library}/${version}/${file}`,
      `/${assets}/./${library}/${version}/${file}`,
      `/${assets}/${library}/x/../${version}/${file}`,
      `/${assets}/${library}/${version}/${file}.map`,
      `/${assets}/${library}/${version}/${file}%00`,
      `/${assets}/${library}/${version}/${file}%20`,
      `/${assets}/${library}/${version}/${file};x`,
      `/${assets}/${library}/${version}/${encodeURIComponent('/')}${file}`,
      `/${assets.toUpperCase()}/${library}/${version}/${file}`,
      `/${assets}/${library}/${version}`,
      `/${assets}/${library}/`,
      `/${assets}/`,
    ];
    for (const path of others) {
      const { status } = await get(path);
      expect([path, status === 400 || status === 404]).toEqual([path, true]);
    }
  });

  it('outside its folder is not served, in any spelling of the path', async () => {
    const prefixes = ['/assets/', asset.slice(0, asset.lastIndexOf('/') + 1), '/'];
    const paths = prefixes.flatMap((prefix) => spellings.map((spelling) => prefix + spelling));
    expect(paths.length).toBeGreaterThan(1500);
    for (let start = 0; start < paths.length; start += 64) {
      await Promise.all(
        paths.slice(start, start + 64).map(async (path) => {
          const { status, body } = await get(path);
          expect([path, status === 400 || status === 404]).toEqual([path, true]);
          expect(body).not.toMatch(/root:|"dependencies"|import /);
        }),
      );
    }
  });

  it.each([
    'file:///etc/passwd',
    '/etc/passwd',
    '//etc/passwd',
    '/assets//etc/passwd',
    '/assets/%2Fetc%2Fpasswd',
    '/assets/__proto__',
    '/assets/constructor',
    '/assets/jquery/__proto__/x.js',
  ])('is not found at %s', async (path) => {
    const { status } = await get(path);
    expect(status === 400 || status === 404).toBe(true);
  });
});

describe('the name of a bean', () => {
  it('is never used as a path', async () => {
    for (const spelling of spellings.filter((_, index) => index % 5 === 0)) {
      const { status, body } = await get(`/jig/bean/${spelling}.json`);
      expect([spelling, [400, 404].includes(status)]).toEqual([spelling, true]);
      expect(body).not.toMatch(/root:|"dependencies"/);
    }
  });
});

describe('a locale or a zone', () => {
  it('is looked up in a list and never used as a path', async () => {
    for (const text of ['../../../../etc/passwd', '..%2f..%2fpackage.json', 'en/../../package', '/etc/localtime']) {
      const headers = { 'accept-language': text, cookie: `clock-zone=${encodeURIComponent(text)}` };
      const answer = await request(service.url, 'GET /clock/time', headers);
      expect(answer.status).toBe(200);
      expect(answer.body).not.toMatch(/root:|"dependencies"/);
    }
  });
});
