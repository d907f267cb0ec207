import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { dechunk, request } from '../support/exchange.ts';
import { listBeans } from '../support/list-beans.ts';
import { startWithBeans } from '../support/start-with-beans.ts';

describe('a bean with an unusual name', () => {
  const plain = ['a.b', 'a/b', 'with/slash', 'two words', 'имя😀', 'ключ 😀', 'x.json', '.json', 'percent%41'];
  const names = [...plain, 'constructor', 'toString', '__proto__', 'a?b#c', '100%', '%2F', 'a+b', ''];
  let application: RunningApplication;

  beforeAll(async () => {
    application = await startWithBeans(new Map(names.map((name) => [name, { name }])));
  });

  afterAll(() => application[Symbol.asyncDispose]());

  it.each(names.filter((name) => name !== ''))('is found by its link and by its encoded name: %s', async (name) => {
    const links = (await listBeans(application.url)).find((bean) => bean.name === name)?.links;
    for (const path of [links?.json, `/jig/bean/${encodeURIComponent(name)}.json`]) {
      const answer = await request(application.url, `GET ${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(JSON.parse(dechunk(answer.body))).toEqual({ name });
    }
    expect((await request(application.url, `GET ${links?.xml}`)).status).toBe(200);
  });

  it.each([
    ['a.b.json', 'a.b'],
    ['with%2fslash.json', 'with/slash'],
    ['percent%2541.json', 'percent%41'],
    ['.json.json', '.json'],
    ['%61.b.json', 'a.b'],
  ])('is found by another spelling of its address: %s', async (path, name) => {
    const answer = await fetch(`${application.url}/jig/bean/${path}`);
    expect([answer.status, await answer.json()]).toEqual([200, { name }]);
  });
});

describe('an unknown bean', () => {
  let application: RunningApplication;

  beforeAll(async () => {
    const names = ['nested', 'with/slash', 'percent%41'];
    application = await startWithBeans(new Map(names.map((name) => [name, { name }])));
  });

  afterAll(() => application[Symbol.asyncDispose]());

  const get = (path: string) => request(application.url, `GET /jig/bean/${path}`);

  const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'prototype', 'valueOf'];
  const nearlyKnown = ['Clock', 'CLOCK', 'NESTED', 'percentA', 'nested.json', 'clock.json', 'process.xml'];
  const encoded = ['a%2Fb', '%2F', 'a%20b', '%F0%9F%98%80', 'process%00', 'process%20', '%252e', '%24%7B1%7D'];
  const hostile = ['..%2F..%2Fetc%2Fpasswd', '%3Cscript%3E', 'x'.repeat(5000), "zebra'%22", '*', '$', 'a.b'];
  const unknown = ['nothing', 'no-such-bean', ...inherited, ...nearlyKnown, ...encoded, ...hostile];

  it.each(unknown)('is 404 Resource not found, in a body that does not repeat the name: %.30s', async (name) => {
    const json = await get(`${name}.json`);
    expect(json.statusLine).toBe('HTTP/1.1 404 Resource not found');
    expect(json.headers.get('content-type')).toBe('application/problem+json');
    expect(json.body).toBe((await get('other.json')).body);
    expect(JSON.parse(json.body)).toMatchObject({ title: 'Resource not found', status: 404 });
    const xml = await get(`${name}.xml`);
    expect(xml.statusLine).toBe('HTTP/1.1 404 Resource not found');
    expect(xml.headers.get('content-type')).toBe('application/problem+xml');
    expect(xml.body).toBe((await get('other.xml')).body);
    expect(xml.body).toContain('<title>Resource not found</title>');
  });

  it.each(['nope.json?_=1', 'nope.xml?depth=x', 'nope.json?at=nowhere', 'nope.xml?limit=1&limit=2'])(
    'is 404 regardless of query parameters: %s',
    async (file) => expect((await get(file)).statusLine).toBe('HTTP/1.1 404 Resource not found'),
  );

  it.each(['.json', 'with/slash.json'])('is 404 when the address has no name or a bare slash: %s', async (file) => {
    expect((await get(file)).status).toBe(404);
  });

  it.each([
    '/jig/bean/%ff.json',
    '/jig/bean/%.json',
    '/jig/bean/%zz.xml',
    '/jig/bean/a/b.json',
    '//jig/bean/process.json',
    '/jig//bean/process.json',
    '/jig/bean/../bean/x.json',
    '/jig/bean/process.yaml',
  ])('is a 4xx without a stack when the address cannot be read: %s', async (path) => {
    const answer = await request(application.url, `GET ${path}`);
    expect(Math.floor(answer.status / 100)).toBe(4);
    expect(answer.raw).not.toMatch(/node_modules|\.js:\d|zebra/);
  });
});
