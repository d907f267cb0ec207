import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Programs, type StartedProgram } from './console-on-this-machine.ts';

let programs: Programs;
let shop: StartedProgram;
let orders: StartedProgram;
let team: StartedProgram;
let plain: StartedProgram;
let address: string;
/** What a browser keeps after its first visit. */
let cookie: string;
/** The page of processes. */
let home: URL;

beforeAll(async () => {
  programs = await Programs.create();
  [shop, orders, team, plain] = await Promise.all([
    programs.start('express-app.mjs'),
    programs.start('host-app.mjs'),
    programs.start('cluster-app.mjs'),
    programs.start('plain-app.mjs', { args: ['--password', 'hunter2hunter2'] }),
  ]);
  ({ address } = await programs.startConsole());
  const answer = await fetch(address, { redirect: 'manual' });
  cookie = answer.headers.get('set-cookie') ?? '';
  home = new URL(answer.headers.get('location') ?? '', address);
});
afterAll(() => programs[Symbol.asyncDispose]());

const ownCookie = () => cookie.split(';')[0] ?? '';
const get = (url: URL | string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { cookie: ownCookie(), ...headers }, redirect: 'manual' });
const page = async (query = '') => (await get(new URL(query, home))).text();

/** The row of a process on the page. */
const rowOf = (text: string, pid: number) =>
  text.split('<tr role="row"').find((row) => row.includes(`data-label="Pid">${pid}</td>`)) ?? '';

/** The address of the beans of a process. */
const beansOf = async (pid: number) => new URL(/href="([^"]+\/bean)"/.exec(rowOf(await page(), pid))?.[1] ?? '', home);

describe('the page of jig', () => {
  it('lists applications of Express and of our host first, each with a link to its beans', async () => {
    const text = await page();
    const [, withJig = '', others = ''] = text.split(/<b>(?:Jig is in it|Can be attached)<\/b>/);
    expect(rowOf(withJig, shop.pid)).toContain('<b><bdi>shop</bdi></b><code dir="ltr" title="node ');
    expect(rowOf(withJig, shop.pid)).toContain(`<bdi dir="ltr">${shop.line.replace('http://', '')}</bdi>`);
    expect(rowOf(withJig, shop.pid)).toContain(`data-label="Node">${process.versions.node}</td>`);
    expect(rowOf(withJig, orders.pid)).toContain('<b><bdi>Orders</bdi></b>');
    expect(rowOf(others, plain.pid)).toContain('<b><bdi>console-fixtures</bdi></b>');
    for (const { pid } of [shop, orders]) {
      const answer = await get(await beansOf(pid), { accept: 'text/html' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });

  it('masks secrets of a command line', async () => {
    const row = rowOf(await page(), plain.pid);
    expect(row).toContain('plain-app.mjs --password ******');
    expect(row).not.toContain('hunter2');
  });

  it('has the workers of a cluster below their primary', async () => {
    const text = await page();
    expect(rowOf(text, team.pid)).toContain('<b><bdi>team</bdi></b>');
    const [, after = ''] = text.split(rowOf(text, team.pid));
    const below = after.split('<tr role="row"').slice(1, 3);
    expect(below.map((row) => /<span>(.*?)<\/span>/.exec(row)?.[1])).toEqual(['Worker 1', 'Worker 2']);
    expect(below.every((row) => row.includes('>Open beans</a>'))).toBe(true);
  });

  it('leaves out the console and other tools, and says so', async () => {
    const text = await page();
    expect(text).toMatch(/<p class="after">\d+ of editors and tools, such as npm and TypeScript, left out\./);
    expect(text).not.toContain('/console/bin/jig.js');
  });

  it('is sent again in an event stream', async () => {
    const leaving = new AbortController();
    const headers = { cookie: ownCookie(), accept: 'text/event-stream' };
    const answer = await fetch(home, { headers, signal: leaving.signal });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.match(/^data: .*\n\n/gm)?.length === 2) break;
    }
    leaving.abort();
    const [, first = '', second = ''] = text.split('data: ').map((each) => each.trim());
    const { time, watched } = JSON.parse(first);
    expect(JSON.parse(second).time).not.toBe(time);
    expect(rowOf(watched, shop.pid)).toContain('Open beans');
    expect(watched).not.toContain('For coding agents');
    expect((await fetch(home, { headers: { accept: 'text/event-stream' } })).status).toBe(401);
  });

  it('refreshes itself while it is live, without JavaScript', async () => {
    expect((await get(home)).headers.get('refresh')).toBeNull();
    expect((await get(new URL('?live=1', home))).headers.get('refresh')).toBe('5');
  });
});

describe('the beans of an application below the console', () => {
  it('have links to the same application, and one to the list of processes', async () => {
    const beans = await beansOf(orders.pid);
    const text = await (await get(beans, { accept: 'text/html' })).text();
    const prefix = beans.pathname.slice(0, -'/bean'.length);
    const links = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !link.startsWith(`${prefix}/`))).toEqual([home.pathname]);
    const answers = await Promise.all(links.map((link) => get(new URL(link.replaceAll('&amp;', '&'), home))));
    const refused = answers.flatMap((answer, index) => (answer.status === 200 ? [] : [{ answer, link: links[index] }]));
    // A session belongs to a request of the application itself, which this is not.
    expect(refused.length).toBeGreaterThan(0);
    for (const { answer, link } of refused) {
      expect([link, answer.status]).toEqual([expect.stringContaining('/bean/session.'), 409]);
      expect(await answer.text()).toContain('Open it at an address of the application.');
    }
  });

  it('come as JSON, masked, and take a POST', async () => {
    const beans = await beansOf(shop.pid);
    const basket = await get(`${beans}/basket.json`);
    // Another test puts more into it.
    expect(await basket.json()).toMatchObject({ items: expect.arrayContaining(['kettle']), token: '******' });
    const compare = new URL('compare?bean=basket', beans);
    const headers = { cookie: ownCookie(), accept: 'text/html' };
    const kept = await fetch(compare, { method: 'POST', headers, redirect: 'manual' });
    expect(kept.status).toBe(303);
    const next = new URL(kept.headers.get('location') ?? '', home);
    expect(next.pathname.startsWith(beans.pathname.slice(0, -'bean'.length))).toBe(true);
    expect((await get(next)).status).toBe(200);
  });

  it('can be followed live', async () => {
    const beans = await beansOf(shop.pid);
    const leaving = new AbortController();
    const answer = await fetch(`${beans}/basket.html`, {
      headers: { cookie: ownCookie(), accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    await fetch(`${shop.line}/basket`, { method: 'POST' });
    let text = '';
    while (!text.includes('toaster')) text += (await reader?.read())?.value ?? '';
    leaving.abort();
  });

  it('reject a body that is too large, as the application does', async () => {
    const post = { method: 'POST', headers: { cookie: ownCookie(), 'content-type': 'application/json' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(3 * 2 ** 20) });
    const mcp = new URL('mcp', await beansOf(orders.pid));
    // Once it was 502 in place of 413 whenever the application was quicker than the console.
    for (let count = 0; count < 5; count++) {
      const answer = await fetch(mcp, { ...post, body });
      expect(await answer.json()).toMatchObject({ status: 413, detail: 'A body may have 64 KiB.' });
    }
  });

  it('are replaced by one sentence when the process has ended', async () => {
    const brief = await programs.start('express-app.mjs');
    const beans = await beansOf(brief.pid);
    expect((await get(beans)).status).toBe(200);
    process.kill(brief.pid, 'SIGKILL');
    await expect.poll(async () => (await get(beans)).status).toBe(404);
    expect(await (await get(beans)).json()).toMatchObject({
      detail: 'This process has ended, or Jig is no longer in it. Look at the list again.',
    });
    expect(rowOf(await page(), brief.pid)).toBe('');
  });
});

describe('without the token, nobody gets anything', () => {
  const refused = async (url: URL | string, init: RequestInit = {}) => {
    const answer = await fetch(url, { redirect: 'manual', ...init });
    expect([...answer.headers.keys()].filter((name) => /^set-cookie$|^access-control/.test(name))).toEqual([]);
    return [answer.status, await answer.text()] as const;
  };

  it.each([
    ['the start', '/', {}],
    ['another token', '/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', {}],
    ['an address that there is not', '/jig/bean', {}],
    ['a wrong cookie', '/', { cookie: 'jig-console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['a wrong token', '/', { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s', async (_, path, headers) => {
    const [status, text] = await refused(new URL(path, address), { headers });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ detail: 'This needs the token: open the address that jig has printed.' });
  });

  it('not even at the socket addresses', async () => {
    const beans = await beansOf(shop.pid);
    for (const url of [home, beans, `${beans}/basket.json`]) expect((await refused(url))[0]).toBe(401);
    expect((await refused(new URL('mcp', beans), { method: 'POST' }))[0]).toBe(401);
  });

  it('which is in a cookie that is HttpOnly, SameSite and limited to one path', () => {
    expect(cookie).toMatch(/^jig-console=[\w-]{32}; Path=\/[\w-]{12}; HttpOnly; SameSite=Strict$/);
    expect(home.pathname).toBe(`${/Path=([^;]+)/.exec(cookie)?.[1]}/`);
    expect(home.search).toBe('');
  });

  it('which programs send as a token', async () => {
    const authorization = `Bearer ${new URL(address).searchParams.get('token')}`;
    expect((await fetch(home, { headers: { authorization } })).status).toBe(200);
  });
});

describe('with the token, no page of another site gets anything', () => {
  /** `fetch` would not send such headers. */
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest(home, { headers: { cookie: ownCookie(), ...headers } }, (answer) => {
        readText(answer).then(() => resolve(answer.statusCode), reject);
      });
      asked.on('error', reject).end();
    });

  it.each([
    ['DNS rebinding', { host: 'evil.example' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }],
    ['another site, as browsers say', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine, as browsers say', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://127.0.0.1:1' }],
  ])('%s', async (_, headers) => expect(await status(headers)).toBe(403));

  it('but the console itself does', async () => {
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status({ host: `localhost:${home.port}` })).toBe(200);
  });
});
