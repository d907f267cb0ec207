import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { dechunk, exchange, request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { listBeans } from '../support/list-beans.ts';
import { nested, startWithBeans } from '../support/start-with-beans.ts';

describe('a bean of an application', () => {
  let application: RunningApplication;

  beforeAll(async () => {
    application = await startWithBeans(
      new Map<string, unknown>([
        ['nested', nested],
        ['a.b', { name: 'a.b' }],
      ]),
    );
  });

  afterAll(() => application[Symbol.asyncDispose]());

  const bean = (path: string) => fetch(`${application.url}/jig/bean/${path}`);

  it('is written as JSON', async () => {
    expect(await (await bean('nested.json')).text()).toBe(
      '{"list":[1,2,3],"map":{"uuid:1":{"entity":null,"params":{}}},"none":null}',
    );
  });

  it('is written as XML, in an element named for its type', async () => {
    const answer = await bean('nested.xml');
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await answer.text()).toBe(
      '<Object><list><item>1</item><item>2</item><item>3</item></list><map><uuid:1><entity/><params/></uuid:1></map><none/></Object>',
    );
  });

  it('is 503 without a reason when it cannot be created', async () => {
    const answer = await bean('lazy.json');
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('failed');
  });
});

describe('a bean of the service', () => {
  const service = useService();

  const get = (path: string, headers: Record<string, string> = {}) => request(service.url, `GET ${path}`, headers);

  it('comes as JSON and as XML, in chunks, not to be cached, whichever bean it is', async () => {
    for (const { links, type } of await listBeans(service.url)) {
      const json = await get(links.json);
      expect([links.json, json.statusLine]).toEqual([links.json, 'HTTP/1.1 200 OK']);
      expect(json.headers.get('content-type')).toBe('application/json');
      expect(JSON.parse(dechunk(json.body))).toBeTypeOf('object');
      const xml = await get(links.xml);
      expect([links.xml, xml.statusLine]).toEqual([links.xml, 'HTTP/1.1 200 OK']);
      expect(xml.headers.get('content-type')).toBe('application/xml');
      expect(dechunk(xml.body)).toMatch(new RegExp(`^(<\\?xml[^>]*\\?>\\s*)?<${type}[ />]`));
      for (const { headers } of [json, xml]) {
        expect(headers.has('content-length')).toBe(false);
        expect(headers.get('transfer-encoding')).toBe('chunked');
        expect(headers.get('cache-control')).toBe('no-store, no-transform');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.has('access-control-allow-origin')).toBe(false);
        expect(headers.has('set-cookie')).toBe(false);
      }
    }
  });

  it('has the same head for HEAD as for GET, and no body', async () => {
    const paths = ['process.json', 'process.xml', 'nothing.json', 'nothing.xml'].map((file) => `/jig/bean/${file}`);
    for (const path of [...paths, '/jig/bean']) {
      const [whole, head] = [await get(path), await request(service.url, `HEAD ${path}`)];
      expect([path, head.statusLine, head.body]).toEqual([path, whole.statusLine, '']);
      expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    }
  });

  it('is 405 for other methods and names the allowed ones', async () => {
    const beans = ['process.json', 'process.xml', 'nothing.json'].map((file) => `/jig/bean/${file}`);
    for (const path of [...beans, '/jig/bean', '/jig/bean.xml', '/health', '/']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
        const answer = await request(service.url, `${method} ${path}`, { 'content-length': '0' });
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, 'GET, HEAD']);
      }
    }
  });

  it('ignores Accept-Encoding, Accept, Range and conditions', async () => {
    const asked = { 'accept-encoding': 'gzip, br', range: 'bytes=0-3', 'if-none-match': '*', accept: 'text/html' };
    const answer = await get('/jig/bean/process.json', { ...asked, 'if-modified-since': new Date().toUTCString() });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(dechunk(answer.body))).toHaveProperty('pid', process.pid);
  });

  it('is answered in order when several requests are sent at once over one connection', async () => {
    const { host } = new URL(service.url);
    const first = ['/jig/bean/process.json?at=/pid', '/jig/bean/nothing.json', '/clock/time'];
    const heads = first.map((path) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx: y\r\n\r\n`);
    const last = `GET /jig/bean/process.json?at=/platform HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    const { raw } = await exchange(service.url, heads.join('') + last);
    expect(raw.match(/HTTP\/1\.1 .*/g)?.map((line) => line.trim())).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 404 Resource not found',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
    ]);
  });
});
