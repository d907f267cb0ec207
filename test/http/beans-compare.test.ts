import { setTimeout as pause } from 'node:timers/promises';
import type { Feature } from '@jig/application';
import { applyPatch } from 'rfc6902';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningApplication,
  startApplication,
} from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { listBeans } from '../support/list-beans.ts';

const cart = { lines: ['kettle'], total: 24.5, note: '<b>first</b>', password: 'hunter2-hunter2' };
let looks = 0;

const shop: Feature = {
  name: 'shop',
  register(host) {
    host.define('cart', { type: 'Cart', create: () => cart, start: () => undefined });
    host.define('closed', { type: 'Closed', create: () => cart, start: () => undefined });
    host.define('lazy', { type: 'Lazy', create: () => ({ made: true }) });
    host.define('counter', {
      type: 'Counter',
      create: () => ({
        get looks() {
          return ++looks;
        },
      }),
      start: () => undefined,
    });
  },
};

interface Snapshot {
  readonly id: string;
  readonly beans: number;
}

let application: RunningApplication;

const start = () => startApplication([beanInspection, shop], ['--beanInspection.deny=closed']);
const url = (path: string) => application.url + path;

function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url('/jig/compare'), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    body,
  });
}

const keep = async (body = 'wait=0') => (await (await post(body)).json()) as Snapshot;
const getJson = async (path: string) => (await fetch(url(path))).json();
const getPage = async (path: string) => (await fetch(url(path), { headers: { accept: 'text/html' } })).text();

/** Changes the cart as somebody who shops does, and puts it back. */
async function whileShopping<Result>(look: () => Promise<Result>): Promise<Result> {
  const before = structuredClone(cart);
  cart.lines.push('toaster');
  cart.total = 63.5;
  cart.password = 'another-password';
  try {
    return await look();
  } finally {
    Object.assign(cart, before);
  }
}

describe('with snapshots', () => {
  beforeAll(async () => {
    application = await start();
  });
  afterAll(() => application[Symbol.asyncDispose]());

  it('POST /jig/compare keeps a snapshot of existing beans, and creates none', async () => {
    const answer = await post('name=first&wait=0');
    const { id, beans, ...others } = (await answer.json()) as Snapshot;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/jig/compare?from=${id}`]);
    expect(others).toMatchObject({ name: 'first', leftOut: expect.any(Array) });
    const listed = await listBeans(application.url);
    expect(beans).toBe(listed.filter(({ instantiated }) => instantiated).length);
    expect(listed.find(({ name }) => name === 'lazy')?.instantiated).toBe(false);
  });

  it('GET /jig/compare shows what has changed since, but not values that always change', async () => {
    const { id } = await keep('wait=1&name=before');
    const page = await whileShopping(() => getPage(`/jig/compare?from=${id}`));
    expect(page).toContain('<span class="tag add">+ Added</span>');
    expect(page).toContain('href="/jig/bean/cart.html?at=/total"');
    expect(page).toContain('&#34;toaster&#34;');
    expect(page).not.toContain('/looks');
    expect(page).not.toContain('password');
    expect(page).not.toContain('closed');
    expect(await getPage(`/jig/compare?from=${id}&always=1`)).toContain('/looks');
  });

  it('GET /jig/compare leaves out the bean process unless it is named', async () => {
    const { id } = await keep();
    const differing = async (query: string) =>
      (await getJson(`/jig/compare.json?from=${id}${query}`)).beans.map(({ name }: { name: string }) => name);
    expect(await differing('')).not.toContain('process');
    expect(await differing('&bean=process')).toEqual(['process']);
  });

  it('GET /jig/compare answers programs with JSON', async () => {
    const { id } = await keep();
    const comparison = await whileShopping(() => getJson(`/jig/compare?from=${id}&bean=cart`));
    expect(comparison).toMatchObject({
      from: { id },
      compared: 1,
      beans: [
        {
          name: 'cart',
          type: 'Cart',
          differences: [
            { kind: 'added', pointer: '/lines/1', now: 'toaster', alwaysMoves: false },
            { kind: 'changed', pointer: '/total', before: 24.5, now: 63.5, alwaysMoves: false },
          ],
        },
      ],
    });
  });

  it('GET /jig/compare.json-patch turns the old document into the new one', async () => {
    const { id } = await keep();
    const before = await getJson('/jig/bean/cart.json');
    const [answer, now] = await whileShopping(async () => [
      await fetch(url(`/jig/compare.json-patch?from=${id}&bean=cart`)),
      await getJson('/jig/bean/cart.json'),
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json-patch+json');
    applyPatch(before, (await answer.json()) as never);
    expect(before).toEqual(now);
  });

  it('POST /jig/compare keeps nothing for a client that has disconnected', async () => {
    const leaving = new AbortController();
    const body = new URLSearchParams({ wait: '5000', name: 'left' });
    const left = fetch(url('/jig/compare'), { method: 'POST', body, signal: leaving.signal });
    await pause(1000);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await keep('wait=0&name=next');
    expect(JSON.stringify(await getJson('/jig/compare.json'))).not.toContain('"left"');
  });

  it.each([
    ['a form of another site, by its origin', { origin: 'https://evil.example' }],
    ['a form of another site, by its site', { 'sec-fetch-site': 'cross-site' }],
    ['a form without a site', { origin: 'null' }],
  ])('refuses %s', async (_title, headers) => {
    expect((await post('wait=0', headers)).status).toBe(403);
  });

  it.each([
    ['bean=closed&wait=0', 404],
    ['bean=lazy&wait=0', 404],
    ['wait=soon', 400],
    [`name=${'x'.repeat(61)}`, 400],
  ])('POST %.20s is %i', async (body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it.each([
    ['/jig/compare?from=999', 404],
    ['/jig/compare.json-patch', 400],
  ])('GET %s is %i', async (path, status) => {
    expect((await fetch(url(path))).status).toBe(status);
  });
});
