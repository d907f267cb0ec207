import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type MadeApplication, mainWith, makeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';

const features = `[{
  name: 'awkward names',
  register(host) {
    const define = (name, bean) => host.define(name, { type: 'Object', create: () => bean });
    define('a.b', { name: 'a.b' });
    define('with/slash', { name: 'with/slash' });
    define('ключ 😀', { name: 'ключ 😀' });
    define('percent%41', { name: 'percent%41' });
    define('.json', { name: '.json' });
    define('nested', { list: [1, 2, 3], map: new Map([['uuid:1', { entity: null, params: {} }]]), none: undefined });
    define('closed', { name: 'closed' });
    host.define('lazy', { type: 'Lazy', create: () => { throw new Error('was made, and failed'); } });
  },
}]`;

let application: MadeApplication;
let service: RunningService;

beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'], main: mainWith(features) });
  service = await startService({
    main: application.main,
    workingDirectory: application.folder,
    environment: { JIG_BEAN_INSPECTION_DENY: 'closed,secret*' },
  });
});

afterAll(async () => {
  await service.stop();
  await application.remove();
});

const bean = (path: string, headers = {}) => fetch(`${service.url}/jig/bean/${path}`, { headers });

describe('a bean', () => {
  it('is JSON, in chunks, and kept by nobody', async () => {
    const answer = await request(service.url, 'GET /jig/bean/nested.json');
    expect(answer.statusLine).toBe('HTTP/1.1 200 OK');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('transfer-encoding')).toBe('chunked');
    expect(answer.headers.has('content-length')).toBe(false);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    expect(await (await bean('nested.json')).text()).toBe(
      '{"list":[1,2,3],"map":{"uuid:1":{"entity":null,"params":{}}},"none":null}',
    );
  });

  it('is XML, named for its type', async () => {
    const answer = await bean('nested.xml');
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await answer.text()).toBe(
      '<Object><list><item>1</item><item>2</item><item>3</item></list><map><uuid:1><entity/><params/></uuid:1></map><none/></Object>',
    );
  });

  it('is not there: the status line says so, and so does the body, without repeating the name', async () => {
    for (const [form, type] of [
      ['json', 'json'],
      ['xml', 'xml'],
    ]) {
      const answer = await request(service.url, `GET /jig/bean/no-such-bean.${form}`);
      expect(answer.statusLine).toBe('HTTP/1.1 404 Resource not found');
      expect(answer.headers.get('content-type')).toBe(`application/problem+${type}`);
      expect(answer.body).toContain('Resource not found');
      expect(answer.body).not.toContain('no-such');
    }
  });

  it('is not there, whatever is asked of it', async () => {
    for (const file of ['nope.json?_=1', 'nope.xml?depth=x', 'nope.json?at=nowhere', 'nope.xml?limit=1&limit=2']) {
      const answer = await request(service.url, `GET /jig/bean/${file}`);
      expect([file, answer.statusLine]).toEqual([file, 'HTTP/1.1 404 Resource not found']);
    }
  });

  it.each([
    ['a.b.json', 'a.b'],
    ['with%2Fslash.json', 'with/slash'],
    ['with%2fslash.json', 'with/slash'],
    [`${encodeURIComponent('ключ 😀')}.json`, 'ключ 😀'],
    ['percent%2541.json', 'percent%41'],
    ['.json.json', '.json'],
    ['%6Eested.json?at=/list/0', undefined],
  ])('is found under any name: %s', async (path, name) => {
    const answer = await bean(path);
    expect(answer.status).toBe(200);
    if (name !== undefined) expect(await answer.json()).toEqual({ name });
  });

  it.each([
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    '',
    'NESTED',
    'nested.json',
    'with/slash',
    'percentA',
  ])('is not there unless somebody registered it: %s', async (name) => {
    expect((await bean(`${name}.json`)).status).toBe(404);
  });

  it('has a HEAD without body, and takes no other method', async () => {
    const head = await request(service.url, 'HEAD /jig/bean/nested.xml');
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, 'application/xml', '']);
    expect((await request(service.url, 'HEAD /jig/bean/nothing.xml')).status).toBe(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await request(service.url, `${method} /jig/bean/nested.json`, { 'content-length': '0' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('can be had by a client that knows no chunks', async () => {
    const answer = await request(service.url, 'GET /jig/bean/a.b.json HTTP/1.0\r\nx: y');
    expect([answer.headers.has('transfer-encoding'), answer.body]).toEqual([false, '{"name":"a.b"}']);
  });

  it('that cannot be made says so, and nothing of why', async () => {
    const answer = await bean('lazy.json');
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('failed');
  });
});

describe('narrowing', () => {
  it.each([
    ['at=/map/uuid:1', '{"entity":null,"params":{}}'],
    ['at=%2Flist%2F2', '3'],
    ['at=', '{"list":[1,2,3],"map":{"uuid:1":{"entity":null,"params":{}}},"none":null}'],
    ['depth=1', '{"list":"[Depth limit]","map":"[Depth limit]","none":null}'],
    ['limit=2', '{"list":[1,2,"[1 more]"],"map":{"uuid:1":{"entity":null,"params":{}}},"_more":"[1 more]"}'],
    ['at=/list&pretty', '[\n  1,\n  2,\n  3\n]'],
  ])('?%s', async (query, text) => {
    expect(await (await bean(`nested.json?${query}`)).text()).toBe(text);
  });

  it('declares namespaces when asked to', async () => {
    expect(await (await bean('nested.xml?at=/map&namespaces')).text()).toBe(
      '<Map xmlns:uuid="urn:jig:uuid"><uuid:_x0031_><entity/><params/></uuid:_x0031_></Map>',
    );
  });

  it('says when something was left out', async () => {
    expect((await bean('nested.json?limit=1')).headers.get('jig-truncated')).toBe('true');
    expect((await bean('nested.json')).headers.has('jig-truncated')).toBe(false);
  });

  it('to what is not there is 404', async () => {
    for (const path of [
      '/jig/bean/nested.xml',
      '/jig/bean/nested.json',
      '/jig/bean',
      '/jig/bean.json',
      '/jig/bean.xml',
    ]) {
      const answer = await request(service.url, `GET ${path}?at=/nothing`);
      expect([path, answer.statusLine]).toEqual([path, 'HTTP/1.1 404 Resource not found']);
    }
  });

  it.each(['dept=1', '_=1700000000000', 'utm_source=a&utm_source=b', 'constructor&__proto__=x', '=', 'Depth=0'])(
    '?%s has only parameters of other names and shows the bean as without them',
    async (query) => {
      for (const form of ['json', 'xml']) {
        const [plain, answer] = await Promise.all([bean(`nested.${form}`), bean(`nested.${form}?${query}`)]);
        expect(answer.status).toBe(200);
        expect(await answer.text()).toBe(await plain.text());
      }
    },
  );

  it('still counts beside parameters of other names, also when its value is bad', async () => {
    expect((await bean('nested.json?other=1&depth=0')).status).toBe(400);
    expect((await bean('nested.json?other=1&limit=1')).headers.get('jig-truncated')).toBe('true');
    expect((await bean('nothing.json?other=1')).status).toBe(404);
  });

  it.each([
    ['depth=0', 'depth must be a whole number from 1 to 64.'],
    ['depth=65', 'depth must be a whole number from 1 to 64.'],
    ['depth=1e1', 'depth must be'],
    ['limit=-1', 'limit must be a whole number from 1'],
    ['limit=', 'limit must be'],
    ['at=list', 'at must be a JSON Pointer'],
    ['at=/a~2', 'at must be a JSON Pointer'],
    ['pretty=maybe', 'pretty is given without a value, or as true or false.'],
    ['depth=1&depth=2', 'The parameter depth can be given only once.'],
  ])('?%s is 400 and says what is allowed', async (query, sentence) => {
    const answer = await bean(`nested.json?${query}`);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { detail: string }).detail).toContain(sentence);
  });
});

describe('the list of beans', () => {
  interface Listed {
    readonly beans: { name: string; instantiated: boolean; links: { json: string; xml: string } }[];
  }

  it('has every bean that is open, with links that work, and makes none of them', async () => {
    const { beans } = (await (await fetch(`${service.url}/jig/bean`)).json()) as Listed;
    const names = beans.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'configuration',
        'process',
        'server',
        'addOns',
        'session',
        'a.b',
        'with/slash',
        'ключ 😀',
      ]),
    );
    expect(names).not.toContain('closed');
    expect(beans.find(({ name }) => name === 'lazy')).toMatchObject({
      type: 'Lazy',
      scope: 'singleton',
      owner: 'awkward names',
      dependencies: [],
      instantiated: false,
    });
    for (const { name, links } of beans.filter(({ name: each }) => each !== 'lazy')) {
      expect([name, (await fetch(service.url + links.json)).status]).toEqual([name, 200]);
      expect([name, (await fetch(service.url + links.xml)).status]).toEqual([name, 200]);
    }
  });

  it('comes as JSON, XML or a page', async () => {
    const types = async (path: string, accept?: string) =>
      (await fetch(service.url + path, accept === undefined ? {} : { headers: { accept } })).headers.get(
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

  it.each(['application/json;q=0', 'image/png', '*/*;q=0'])(
    'is 406 for a client that takes %s only',
    async (accept) => {
      const answer = await fetch(`${service.url}/jig/bean`, { headers: { accept } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([406, 'application/problem+json']);
      expect(((await answer.json()) as { detail: string }).detail).toContain('application/json, application/xml');
      const refused = await fetch(`${service.url}/jig/bean`, { headers: { accept, 'sec-fetch-site': 'cross-site' } });
      expect(refused.status).toBe(403);
    },
  );

  it('is a page that escapes what it shows and runs nothing but its own script', async () => {
    const answer = await fetch(`${service.url}/jig/bean`, { headers: { accept: 'text/html' } });
    const page = await answer.text();
    expect(page).toContain('href="/jig/bean/with%2Fslash.json?pretty"');
    expect(page.split('<script')).toHaveLength(2);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self' 'sha256-\S+'; style-src 'self' 'sha256-\S+';/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the controller', () => {
  it('is a bean, and without it there is nothing to open', async () => {
    const without = await startService({
      main: application.main,
      workingDirectory: application.folder,
      environment: { JIG_BEANS_EXCLUDE: 'beanController' },
    });
    expect((await bean('beanController.json')).status).toBe(200);
    expect((await fetch(`${without.url}/jig/bean/process.json`)).status).toBe(404);
    expect((await fetch(`${without.url}/jig/bean`)).status).toBe(404);
    expect(await (await fetch(without.url)).text()).not.toContain('/jig/bean');
    await without.stop();
  });
});
