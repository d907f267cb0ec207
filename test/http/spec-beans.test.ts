import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dechunk, request } from '../support/exchange.ts';
import { listBeans } from '../support/list-beans.ts';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
});

afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => request(service.url, `GET ${path}`, headers);

describe('a bean', () => {
  it('comes as JSON and as XML, in chunks, with the exact types', async () => {
    for (const { links, type } of await listBeans(service.url)) {
      const json = await get(links.json);
      expect([links.json, json.statusLine]).toEqual([links.json, 'HTTP/1.1 200 OK']);
      expect(json.headers.get('content-type')).toBe('application/json');
      expect(JSON.parse(dechunk(json.body))).toBeTypeOf('object');
      const xml = await get(links.xml);
      expect([links.xml, xml.statusLine]).toEqual([links.xml, 'HTTP/1.1 200 OK']);
      expect(xml.headers.get('content-type')).toMatch(/^application\/xml(; ?charset=utf-8)?$/i);
      expect(dechunk(xml.body)).toMatch(new RegExp(`^(<\\?xml[^>]*\\?>\\s*)?<${type}[ />]`));
      for (const { headers } of [json, xml]) {
        expect(headers.has('content-length')).toBe(false);
        expect(headers.get('transfer-encoding')).toBe('chunked');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.has('access-control-allow-origin')).toBe(false);
        expect(headers.has('set-cookie')).toBe(false);
      }
    }
  });

  it('is among those that the design promises', async () => {
    const names = (await listBeans(service.url)).map(({ name }) => name);
    const promised = [
      'configuration',
      'addOns',
      'messages',
      'assets',
      'sessions',
      'session',
      'clock',
      'locales',
      'zones',
    ];
    expect(names).toEqual(expect.arrayContaining([...promised, 'server', 'process']));
    expect((await listBeans(service.url)).find(({ name }) => name === 'session')?.scope).toBe('session');
  });

  it('has a HEAD without a body, and the same headers', async () => {
    for (const path of ['/jig/bean/process.json', '/jig/bean/process.xml', '/jig/bean/nothing.json', '/jig/bean']) {
      const [whole, head] = [await get(path), await request(service.url, `HEAD ${path}`)];
      expect([path, head.statusLine, head.body]).toEqual([path, whole.statusLine, '']);
      expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    }
  });

  it('takes no other method, and says which it takes', async () => {
    const paths = [
      '/jig/bean/process.json',
      '/jig/bean/process.xml',
      '/jig/bean/nothing.json',
      '/jig/bean',
      '/jig/bean.xml',
    ];
    for (const path of [...paths, '/health', '/']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
        const answer = await request(service.url, `${method} ${path}`, { 'content-length': '0' });
        expect([method, path, answer.status]).toEqual([method, path, 405]);
        expect(answer.headers.get('allow')?.split(/, */).sort()).toEqual(['GET', 'HEAD']);
      }
    }
  });

  it('is not compressed into something else, nor had in parts, nor taken from a cache', async () => {
    const asked = { 'accept-encoding': 'gzip, br', range: 'bytes=0-3', 'if-none-match': '*', accept: 'text/html' };
    const answer = await get('/jig/bean/process.json', { ...asked, 'if-modified-since': new Date().toUTCString() });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(dechunk(answer.body))).toHaveProperty('pid', service.pid);
  });
});

describe('a bean that is not there', () => {
  const names = ['nothing', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'prototype', 'valueOf', 'Clock'];
  names.push(
    'a.b',
    'a%2Fb',
    '%2F',
    '..%2F..%2Fetc%2Fpasswd',
    'a%20b',
    '%F0%9F%98%80',
    'process%00',
    'process%20',
    'CLOCK',
  );
  names.push(
    '%252e',
    'clock.json',
    'process.xml',
    '%3Cscript%3E',
    `${'x'.repeat(5000)}`,
    "zebra'%22",
    '*',
    '$',
    '%24%7B1%7D',
  );

  it('is 404 Resource not found, in the status line and in a body that never repeats the name', async () => {
    for (const name of names) {
      const json = await get(`/jig/bean/${name}.json`);
      expect([name, json.statusLine]).toEqual([name, 'HTTP/1.1 404 Resource not found']);
      expect(json.headers.get('content-type')).toBe('application/problem+json');
      expect(json.body).toBe((await get('/jig/bean/other.json')).body);
      expect(JSON.parse(json.body)).toMatchObject({ title: 'Resource not found', status: 404 });
      const xml = await get(`/jig/bean/${name}.xml`);
      expect([name, xml.statusLine]).toEqual([name, 'HTTP/1.1 404 Resource not found']);
      expect(xml.headers.get('content-type')).toMatch(/^application\/problem\+xml/);
      expect(xml.body).toBe((await get('/jig/bean/other.xml')).body);
      expect(xml.body).toContain('<title>Resource not found</title>');
    }
  });

  it('is a 4xx in words for paths that cannot be read', async () => {
    const paths = [
      '/jig/bean/%ff.json',
      '/jig/bean/%.json',
      '/jig/bean/%zz.xml',
      '/jig/bean/.json',
      '/jig/bean/a/b.json',
    ];
    for (const path of [
      ...paths,
      '//jig/bean/process.json',
      '/jig//bean/process.json',
      '/jig/bean/../bean/x.json',
      '/jig/bean/process.yaml',
    ]) {
      const answer = await get(path);
      expect([path, Math.floor(answer.status / 100)]).toEqual([path, 4]);
      expect(answer.raw).not.toMatch(/node_modules|\.js:\d|zebra/);
    }
  });
});

describe('names', () => {
  let application: MadeApplication;
  let other: RunningService;
  const names = [
    'a.b',
    'a/b',
    'two words',
    'имя😀',
    'x.json',
    'constructor',
    'toString',
    '__proto__',
    'a?b#c',
    '100%',
    '%2F',
    'a+b',
    '',
  ];

  beforeAll(async () => {
    const define = `[{ name: 'made', register(host) {
      for (const name of ${JSON.stringify(names)}) host.define(name, { type: 'Named', create: () => ({ name }) });
    } }]`;
    application = await makeApplication({ dependencies: ['@jig/bean-inspection'], main: mainWith(define) });
    other = await startService({ main: application.main, workingDirectory: application.folder });
  });

  afterAll(async () => {
    await other.stop();
    await application.remove();
  });

  it('are any text, and the links of the list lead to each', async () => {
    const links = new Map((await listBeans(other.url)).map((bean) => [bean.name, bean.links]));
    for (const name of names.filter((each) => each !== '')) {
      for (const path of [links.get(name)?.json, `/jig/bean/${encodeURIComponent(name)}.json`]) {
        const answer = await request(other.url, `GET ${path}`);
        expect([name, path, answer.status]).toEqual([name, path, 200]);
        expect(JSON.parse(dechunk(answer.body))).toEqual({ name });
      }
      expect((await request(other.url, `GET ${links.get(name)?.xml}`)).status).toBe(200);
    }
  });
});

describe('narrowing', () => {
  const json = async (path: string) => JSON.parse(dechunk((await get(path)).body)) as unknown;

  it('gives the part that a pointer leads to', async () => {
    expect(await json('/jig/bean/process.json?at=/pid')).toBe(service.pid);
    expect(await json('/jig/bean/process.json?at=/versions/node')).toBe(process.versions.node);
    expect(await json('/jig/bean/zones.json?at=/all/0/id')).toBeTypeOf('string');
    expect(await json('/jig/bean/process.json?at=')).toHaveProperty('pid');
    for (const at of [
      '/nothing',
      '/pid/x',
      '/versions/constructor',
      '/__proto__',
      '/versions/toString',
      '/all/-',
      '/pid/',
    ])
      expect([at, (await get(`/jig/bean/process.json?at=${at}`)).status]).toEqual([at, 404]);
    for (const at of ['/all/00/id', '/all/-1', '/all/1e0/id', '/all/999999', '/all/length'])
      expect([at, (await get(`/jig/bean/zones.json?at=${at}`)).status]).toEqual([at, 404]);
    const xml = await get('/jig/bean/process.xml?at=/nothing');
    expect([xml.status, xml.headers.get('content-type')]).toEqual([404, 'application/problem+xml']);
  });

  it('cuts by depth and number, and says so', async () => {
    const flat = await get('/jig/bean/clock.json?depth=1');
    expect(flat.headers.get('jig-truncated') ?? flat.headers.get('trailer')).toBeTruthy();
    expect(dechunk(flat.body)).toContain('[Depth limit]');
    const few = await get('/jig/bean/zones.json?limit=3');
    expect(dechunk(few.body)).toMatch(/\[629 more\]/);
    expect(few.raw).toMatch(/jig-truncated/i);
    const whole = await get('/jig/bean/zones.json');
    expect(whole.headers.get('jig-truncated')).toBeUndefined();
    expect(dechunk((await get('/jig/bean/process.json?pretty')).body)).toMatch(/^\{\n +"/);
  });

  it('answers 400 to a bad parameter and says what is allowed', async () => {
    const bad = [
      'depth=x',
      'depth=-1',
      'depth=1.5',
      'depth=',
      'limit=x',
      'limit=-1',
      'limit=1e3',
      'at=x',
      'at=%7E',
      'at=/~2',
    ];
    for (const query of [...bad, 'depth=1&depth=2', 'depth=99999999999999999999', 'at=%ff', 'pretty=zebra']) {
      for (const form of ['json', 'xml']) {
        const answer = await get(`/jig/bean/process.${form}?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
        expect(answer.headers.get('content-type')).toMatch(`application/problem+${form}`);
        expect(answer.body.length).toBeGreaterThan(100);
        expect(answer.body).not.toContain('zebra');
      }
    }
  });

  it('ignores parameters of other names', async () => {
    for (const query of ['zebra=1', '__proto__=1', 'depth[]=1']) {
      for (const form of ['json', 'xml'])
        expect([query, (await get(`/jig/bean/process.${form}?${query}`)).status]).toEqual([query, 200]);
    }
  });
});

describe('a connection', () => {
  it('answers requests that come at once, in order', async () => {
    const { host, hostname, port } = new URL(service.url);
    const paths = [
      '/jig/bean/process.json?at=/pid',
      '/jig/bean/nothing.json',
      '/clock/time',
      '/jig/bean/process.json?at=/platform',
    ];
    const bytes = paths.map((path, place) =>
      [`GET ${path} HTTP/1.1`, `host: ${host}`, place === 3 ? 'connection: close' : 'x: y', '', ''].join('\r\n'),
    );
    const raw = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text)).on('error', reject);
      socket.write(bytes.join(''));
    });
    expect(raw.match(/HTTP\/1\.1 .*/g)?.map((line) => line.trim())).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 404 Resource not found',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
    ]);
  });
});
