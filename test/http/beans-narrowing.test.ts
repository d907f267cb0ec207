import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { dechunk, request } from '../support/exchange.ts';
import { nested, startWithBeans } from '../support/start-with-beans.ts';

let application: RunningApplication;

beforeAll(async () => {
  application = await startWithBeans(new Map([['nested', nested]]));
});

afterAll(() => application[Symbol.asyncDispose]());

const get = (file: string) => request(application.url, `GET /jig/bean/${file}`);
const bean = (file: string) => fetch(`${application.url}/jig/bean/${file}`);

describe('the query parameters of a bean', () => {
  it.each([
    ['at=/map/uuid:1', '{"entity":null,"params":{}}'],
    ['at=%2Flist%2F2', '3'],
    ['at=', '{"list":[1,2,3],"map":{"uuid:1":{"entity":null,"params":{}}},"none":null}'],
    ['depth=1', '{"list":"[Depth limit]","map":"[Depth limit]","none":null}'],
    ['limit=2', '{"list":[1,2,"[1 more]"],"map":{"uuid:1":{"entity":null,"params":{}}},"_more":"[1 more]"}'],
    ['at=/list&from=1', '[2,3]'],
    ['at=/list&from=1&limit=1', '[2,"[1 more]"]'],
    ['at=/list&from=3', '[]'],
    ['at=/list/0&from=3', '1'],
    ['from=2', '{"none":null}'],
    ['from=9007199254740991', '{}'],
    ['at=/list&pretty', '[\n  1,\n  2,\n  3\n]'],
  ])('?%s shows a part', async (query, text) => {
    expect(await (await bean(`nested.json?${query}`)).text()).toBe(text);
  });

  it('?from passes over entries of an XML document', async () => {
    expect(await (await bean('nested.xml?at=/list&from=2')).text()).toBe('<Array><item>3</item></Array>');
    expect(await (await bean('nested.xml?at=/list&from=7')).text()).toBe('<Array/>');
  });

  it('?at leads into host beans', async () => {
    const json = async (file: string) => JSON.parse(dechunk((await get(file)).body)) as unknown;
    expect(await json('process.json?at=/pid')).toBe(process.pid);
    expect(await json('process.json?at=/versions/node')).toBe(process.versions.node);
    expect(await json('zones.json?at=/all/0/id')).toBeTypeOf('string');
    expect(await json('process.json?at=')).toHaveProperty('pid');
  });

  it.each([
    ...['/nothing', '/pid/x', '/versions/constructor', '/__proto__', '/versions/toString', '/all/-', '/pid/'].map(
      (at) => `process.json?at=${at}`,
    ),
    ...['/all/00/id', '/all/-1', '/all/1e0/id', '/all/999999', '/all/length'].map((at) => `zones.json?at=${at}`),
  ])('?at is 404 when it leads to nothing: %s', async (file) => expect((await get(file)).status).toBe(404));

  it.each(['/jig/bean/nested.xml', '/jig/bean/nested.json', '/jig/bean', '/jig/bean.json', '/jig/bean.xml'])(
    '?at is 404 in the format of the document: %s',
    async (path) => {
      const answer = await request(application.url, `GET ${path}?at=/nothing`);
      expect(answer.statusLine).toBe('HTTP/1.1 404 Resource not found');
      const format = path.endsWith('.xml') ? 'xml' : 'json';
      expect(answer.headers.get('content-type')).toBe(`application/problem+${format}`);
    },
  );

  it('?depth and ?limit say in the document and in the head that something was left out', async () => {
    const flat = await get('clock.json?depth=1');
    expect(flat.headers.get('jig-truncated') ?? flat.headers.get('trailer')).toBeTruthy();
    expect(dechunk(flat.body)).toContain('[Depth limit]');
    const few = await get('zones.json?limit=3');
    expect(dechunk(few.body)).toMatch(/\[629 more\]/);
    expect(few.raw).toMatch(/jig-truncated/i);
    expect((await get('zones.json')).headers.get('jig-truncated')).toBeUndefined();
    expect((await bean('nested.json?limit=1')).headers.get('jig-truncated')).toBe('true');
    expect((await bean('nested.json')).headers.has('jig-truncated')).toBe(false);
  });

  it('?pretty indents', async () => {
    expect(dechunk((await get('process.json?pretty')).body)).toMatch(/^\{\n +"/);
  });

  it.each([
    ['depth=0', 'depth must be a whole number from 1 to 64.'],
    ['depth=65', 'depth must be a whole number from 1 to 64.'],
    ['depth=1e1', 'depth must be'],
    ['depth=x', 'depth must be'],
    ['depth=-1', 'depth must be'],
    ['depth=1.5', 'depth must be'],
    ['depth=', 'depth must be'],
    ['depth=99999999999999999999', 'depth must be'],
    ['depth=1&depth=2', 'The parameter depth can be given only once.'],
    ['from=x', 'from must be'],
    ['from=-1', 'from must be a whole number from 0'],
    ['from=1&from=2', 'from can be given only once'],
    ['every=0', 'every must be a whole number from 1'],
    ['limit=x', 'limit must be'],
    ['limit=-1', 'limit must be a whole number from 1'],
    ['limit=1e3', 'limit must be'],
    ['limit=', 'limit must be'],
    ['at=list', 'at must be a JSON Pointer'],
    ['at=%7E', 'at must be a JSON Pointer'],
    ['at=/a~2', 'at must be a JSON Pointer'],
    ['at=%ff', ''],
    ['pretty=maybe', 'pretty is given without a value, or as true or false.'],
    ['pretty=zebra', 'pretty is given without a value, or as true or false.'],
  ])('?%s is 400 and says what is allowed', async (query, sentence) => {
    for (const format of ['json', 'xml']) {
      const answer = await get(`nested.${format}?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toMatch(`application/problem+${format}`);
      expect(answer.body.length).toBeGreaterThan(100);
      expect(answer.body).not.toContain('zebra');
      expect(answer.body).toContain(sentence);
    }
  });

  const others = ['dept=1', '_=1700000000000', 'utm_source=a&utm_source=b', 'constructor&__proto__=x', '=', 'Depth=0'];

  it.each([...others, 'zebra=1', '__proto__=1', 'depth[]=1'])(
    '?%s is ignored, since no parameter is named so',
    async (query) => {
      for (const format of ['json', 'xml']) {
        const [plain, answer] = await Promise.all([bean(`nested.${format}`), bean(`nested.${format}?${query}`)]);
        expect(answer.status).toBe(200);
        expect(await answer.text()).toBe(await plain.text());
      }
    },
  );

  it('are applied and checked beside parameters of other names', async () => {
    expect((await bean('nested.json?other=1&depth=0')).status).toBe(400);
    expect((await bean('nested.json?other=1&limit=1')).headers.get('jig-truncated')).toBe('true');
    expect((await bean('nothing.json?other=1')).status).toBe(404);
  });
});
