import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { startWithBeans } from '../support/start-with-beans.ts';

let application: RunningApplication;
let calls = 0;

class Operator {
  get local(): Operator {
    return new Operator();
  }
  get ready(): Promise<number> {
    return Promise.resolve(++calls);
  }
}

const large = { rows: Array.from({ length: 101 }, (_, index) => index), name: 'needle' };
const app = Object.assign(function webApplication() {}, { settings: { etag: 'weak' } });

beforeAll(async () => {
  application = await startWithBeans(
    new Map<string, unknown>([
      ['twice', { first: large, again: { large } }],
      ['operator', new Operator()],
      ['app', app],
    ]),
  );
});

afterAll(() => application[Symbol.asyncDispose]());

async function get(path: string): Promise<string> {
  const answer = await fetch(`${application.url}/jig/${path}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('a large object that comes twice in a bean', () => {
  it('is a reference in documents and outlines, a link in the page, and found once', async () => {
    expect(await get('bean/twice.json')).toContain('"again":{"large":"[Reference /first]"}');
    expect(await get('bean/twice.xml')).toContain('<again><large>[Reference /first]</large></again>');
    expect(await get('bean/twice.html?levels=3')).toContain(
      '<span class="tag">reference</span><a href="/jig/bean/twice.html?at=/first">/first</a>',
    );
    expect((await get('bean.json?find=needle')).match(/"pointer"/g)).toHaveLength(1);
  });

  it('is opened by ?at= of the reference, and of the path in it', async () => {
    for (const at of ['/again/large', '/first'])
      expect(JSON.parse(await get(`bean/twice.json?at=${at}`))).toEqual(large);
  });
});

describe('a getter of a bean that does more than tell', () => {
  it('is entered by ?at= where it makes a new object of its class at each call', async () => {
    expect(await get('bean/operator.json')).toContain('"local":"[New Operator]"');
    expect(await get('bean/operator.json?at=/local/local')).toContain('"local":"[New Operator]"');
  });

  it('is run once where it returns a promise, and then by the button of the page', async () => {
    await get('bean/operator.json');
    const once = calls;
    for (const path of ['bean/operator.json', 'bean/operator.xml']) expect(await get(path)).toContain('[Promise]');
    const link = /<span class="tag warn">promise<\/span><a href="\/jig\/([^"]+)">Run it<\/a>/;
    const [, address = ''] = link.exec(await get('bean/operator.html')) ?? [];
    expect([address, calls]).toEqual(['bean/operator.html?at=/ready', once]);
    await get(address);
    expect(calls).toBeGreaterThan(once);
  });
});

describe('a bean that is a function', () => {
  it('is shown with its properties in every form', async () => {
    expect(await get('bean/app.json')).toBe('{"settings":{"etag":"weak"}}');
    expect(await get('bean/app.xml')).toContain('<settings><etag>weak</etag></settings>');
    expect(await get('bean/app.html')).toContain('<b>settings</b>');
    expect(await get('bean.json?find=weak')).toContain('"/settings/etag"');
  });
});
