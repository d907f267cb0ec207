import type { Feature } from '@jig/application';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningApplication,
  startApplication,
} from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { useService } from '../support/in-process.ts';
import { listBeans } from '../support/list-beans.ts';

const chain = (count: number, owner: string): Feature => ({
  name: owner,
  register(host) {
    for (let index = 0; index < count; index++) {
      const next = `${owner}${(index + 1) % count}`;
      host.define(`${owner}${index}`, { needs: [next], create: () => ({ index }) });
    }
  },
});

const silent: Feature = {
  name: '<silent>',
  register(host) {
    host.define('quiet"<b>', { create: (beans) => ({ beans }) });
    host.define('closed', { needs: ['loop0'], create: () => ({}) });
  },
};

let application: RunningApplication;

beforeAll(async () => {
  application = await startApplication(
    [beanInspection, chain(3, 'loop'), chain(3, 'many'), silent],
    ['--beanInspection.deny=closed'],
  );
});

afterAll(() => application[Symbol.asyncDispose]());

const get = (path: string) => fetch(application.url + path, { headers: { accept: 'text/html' } });
const textOf = async (path: string) => (await get(path)).text();
const someOwners = '?owner=loop&owner=<silent>&owner=@jig/application';

describe('GET /jig/graph', () => {
  it('draws the beans of the given owners, with their cycles and without closed beans', async () => {
    const page = await textOf(`/jig/graph${someOwners}`);
    expect(page).toContain('<b>1 cycle.</b>');
    expect(page.match(/class="wire loop"/g)).toHaveLength(4);
    expect(page).toContain('href="/jig/bean/loop1.html"');
    expect(page).not.toContain('many1');
    expect(page).not.toContain('closed');
    expect(page).toContain('value="many">');
    expect(page).toContain('value="loop" checked>');
  });

  it('lists the beans whose dependencies are unknown, as text', async () => {
    const page = await textOf(`/jig/graph${someOwners}`);
    expect(page).toContain('What 1 bean needs is not known:');
    expect(page).not.toMatch(/their container/i);
    expect(page).toContain('<bdi>quiet&#34;&#60;b&#62;</bdi>');
    expect(page).not.toContain('quiet"<b>');
  });
});

describe('the files of the graph', () => {
  it.each([
    ['dot', 'text/vnd.graphviz; charset=utf-8', /^digraph beans/],
    ['mmd', 'text/vnd.mermaid; charset=utf-8', /^flowchart LR/],
  ])('graph.%s is %s, for the given owners', async (extension, type, start) => {
    const answer = await get(`/jig/graph.${extension}${someOwners}`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(text).toMatch(start);
    expect(text).toContain('loop2');
    expect(text).not.toContain('many1');
    expect(text).not.toContain('closed');
  });
});

describe('the service', () => {
  const service = useService();

  it('knows the dependencies of every bean before it is created, unchanged afterwards', async () => {
    const needs = async () =>
      Object.fromEntries((await listBeans(service.url)).map((bean) => [bean.name, bean.dependencies]));
    const declared = await needs();
    for (const name of Object.keys(declared)) await fetch(`${service.url}/jig/bean/${name}.json?depth=1`);
    expect(declared).toEqual(await needs());
    expect(Object.values(declared)).not.toContain('unknown');
    expect(declared.clock).toEqual(['clockNames', 'locales', 'zones']);
  });
});
