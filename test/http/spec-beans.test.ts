import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly instantiated: boolean;
  readonly links: { readonly json: string; readonly xml: string };
}

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
});

afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => request(service.url, `GET ${path}`, headers);

async function listed(url = service.url): Promise<readonly Listed[]> {
  const answer = await fetch(`${url}/jig/bean`);
  return ((await answer.json()) as { beans: Listed[] }).beans;
}

/** Puts the chunks of a body together; fails when it is not in chunks. */
function dechunk(body: string): string {
  let rest = body;
  let text = '';
  for (;;) {
    const [, size = '', tail = ''] = /^([0-9a-f]+)\r\n(.*)$/is.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (Number.isNaN(length)) throw new Error(`Not in chunks: ${rest.slice(0, 80)}`);
    if (length === 0) return Buffer.from(text, 'latin1').toString();
    text += tail.slice(0, length);
    rest = tail.slice(length + 2);
  }
}

describe('a bean', () => {
  it('comes as JSON and as XML, in chunks, with the exact types', async () => {
    for (const { links, type } of await listed()) {
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
    const names = (await listed()).map(({ name }) => name);
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
    expect((await listed()).find(({ name }) => name === 'session')?.scope).toBe('session');
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
    const links = new Map((await listed(other.url)).map((bean) => [bean.name, bean.links]));
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
      'zebra=1',
    ];
    for (const query of [
      ...bad,
      'depth=1&depth=2',
      'depth=99999999999999999999',
      'at=%ff',
      '__proto__=1',
      'depth[]=1',
    ]) {
      for (const form of ['json', 'xml']) {
        const answer = await get(`/jig/bean/process.${form}?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
        expect(answer.headers.get('content-type')).toMatch(`application/problem+${form}`);
        expect(answer.body.length).toBeGreaterThan(100);
        expect(answer.body).not.toContain('zebra');
      }
    }
  });
});

describe('who may look', () => {
  const path = '/jig/bean/process.json';

  it('is not a page of another site, nor a name that is not this machine’s', async () => {
    const refused: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example' },
      { host: '' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'http://evil.example/', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ];
    for (const headers of refused) {
      for (const spelling of [path, '/jig/bean/%70rocess.json', '/jig/bean', '/jig/bean/nothing.xml']) {
        const answer = await get(spelling, headers);
        expect([headers, spelling, answer.status]).toEqual([headers, spelling, 403]);
        expect(answer.body).toMatch(/detail/);
        expect(answer.body).not.toContain('evil');
      }
    }
    const absolute = await request(service.url, 'GET http://evil.example/jig/bean/process.json');
    expect(absolute.status).toBe(403);
  });

  it('is nobody behind a proxy on this machine, whatever the proxy says', async () => {
    const said: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { forwarded: 'for=127.0.0.1;proto=https' },
      { 'x-real-ip': '203.0.113.9' },
      { 'x-forwarded-host': 'localhost' },
      { via: '1.1 proxy' },
      { 'x-forwarded-proto': 'https' },
    ];
    for (const headers of said) expect([headers, (await get(path, headers)).status]).toEqual([headers, 403]);
    const trusting = await startService({ environment: { ...withoutDatabase, JIG_SERVER_TRUST_PROXY: 'true' } });
    try {
      for (const headers of said) {
        const answer = await request(trusting.url, `GET ${path}`, headers);
        expect(['trusting', headers, answer.status]).toEqual(['trusting', headers, 403]);
      }
    } finally {
      await trusting.stop();
    }
  });

  it('is whoever has the token, where there is one', async () => {
    const token = 'open-sesame-57';
    const environment = { ...withoutDatabase, JIG_BEAN_INSPECTION_TOKEN: token, NODE_ENV: 'test' };
    const guarded = await startService({ environment });
    try {
      const status = async (headers: Record<string, string>) =>
        (await request(guarded.url, `GET ${path}`, headers)).status;
      const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
      const refused = [
        '',
        'Bearer',
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        basic(token),
        basic(`${token}:`),
        token,
        'Basic !!',
      ];
      for (const authorization of refused)
        expect([authorization, await status({ authorization })]).toEqual([authorization, 401]);
      expect(await status({})).toBe(401);
      for (const authorization of [`Bearer ${token}`, `bearer ${token}`, basic(`me:${token}`), basic(`:${token}`)])
        expect([authorization, await status({ authorization })]).toEqual([authorization, 200]);
      expect(await status({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
      expect(await status({ authorization: `Bearer ${token}`, origin: 'http://evil.example' })).toBe(403);
      const answer = await request(guarded.url, `GET ${path}`);
      expect(answer.headers.get('www-authenticate')).toMatch(/Bearer/);
      expect((await request(guarded.url, `GET ${path}?token=${token}`)).status).toBe(401);
    } finally {
      await guarded.stop();
    }
  });

  it('is nobody in production, unless it is switched on', async () => {
    const environment = { ...withoutDatabase, NODE_ENV: 'production' };
    const off = await startService({ environment });
    expect((await fetch(`${off.url}${path}`)).status).toBe(404);
    expect((await fetch(`${off.url}/clock/time`)).status).toBe(200);
    await off.stop();
    const on = await startService({ environment: { ...environment, JIG_BEAN_INSPECTION_ENABLED: 'true' } });
    expect((await fetch(`${on.url}${path}`)).status).toBe(200);
    await on.stop();
  });

  it('is told which beans are open', async () => {
    const environment = {
      ...withoutDatabase,
      JIG_BEAN_INSPECTION_ALLOW: 'clock*,process',
      JIG_BEAN_INSPECTION_DENY: 'clock',
    };
    const some = await startService({ environment });
    const status = async (name: string) => (await fetch(`${some.url}/jig/bean/${name}.json`)).status;
    expect([await status('process'), await status('clock'), await status('session')]).toEqual([200, 403, 403]);
    expect((await listed(some.url)).map(({ name }) => name)).not.toContain('clock');
    await some.stop();
  });
});

describe('secrets', () => {
  it('that the process was given are in no bean, in no form', async () => {
    const planted = {
      JIG_SESSIONS_SECRET: 'planted-session-secret-0123456789abcdef',
      JIG_SESSIONS_PREVIOUS_SECRETS: 'planted-previous-secret-0123456789abcdef',
      AWS_SECRET_ACCESS_KEY: 'planted-aws-key',
      DATABASE_PASSWORD: 'planted-database-password',
      API_TOKEN: 'planted-api-token',
      MY_SETTING: 'https://user:planted-in-url@example.org/',
      HARMLESS_LOOKING: 'planted-harmless',
    };
    const environment = { ...withoutDatabase, ...planted, JIG_BEAN_INSPECTION_TOKEN: 'planted-token' };
    const flags = ['--beanInspection.token', 'planted-flag-token'];
    const full = await startService({ environment, flags, nodeFlags: ['--title=planted-title'] });
    const headers = { authorization: 'Bearer planted-flag-token' };
    try {
      const made = await fetch(`${full.url}/clock/time`, {
        method: 'POST',
        body: new URLSearchParams({ a: '1' }),
        redirect: 'manual',
      });
      const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const answer = await fetch(`${full.url}/jig/bean`, { headers });
      const { beans } = (await answer.json()) as { beans: Listed[] };
      expect(beans.length).toBeGreaterThan(10);
      for (const { links } of beans) {
        for (const link of [links.json, links.xml]) {
          const text = await (await fetch(`${full.url}${link}`, { headers: { ...headers, cookie } })).text();
          expect(text.replaceAll('planted-title', '')).not.toMatch(/planted/);
          expect(text).not.toContain(cookie.split('=')[1]?.split('.')[0]);
        }
      }
      expect(full.output()).not.toMatch(/planted-(?!title)/);
    } finally {
      await full.stop();
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
