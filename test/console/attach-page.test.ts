import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Programs, type StartedProgram } from './console-on-this-machine.ts';

interface Asked extends RequestInit {
  readonly headers?: Record<string, string>;
}

describe.runIf(process.platform === 'linux')('attaching by the page of the console', () => {
  let programs: Programs;
  let basket: StartedProgram;
  /** The page of processes, and what a browser keeps after its first visit. */
  let home: string;
  let cookie: string;

  beforeAll(async () => {
    programs = await Programs.create();
    basket = await programs.start('unprepared/basket.cjs', {
      nodeFlags: ['--inspect-port=0'],
      env: { NODE_ENV: 'production' },
    });
    const { address } = await programs.startConsole();
    const { headers } = await fetch(address, { redirect: 'manual' });
    cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    home = new URL(headers.get('location') ?? '', address).href;
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  const ask = (path: string, { headers, ...options }: Asked = {}) =>
    fetch(home + path, { headers: { accept: 'text/html', cookie, ...headers }, redirect: 'manual', ...options });
  const post = (path: string, headers: Record<string, string> = {}, body = 'look=modules') =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
      body,
    });

  it('asks first: what it costs, and that this is production', async () => {
    expect(await (await ask('')).text()).toContain(`/attach/${basket.pid}">Attach…</a>`);
    const page = await (await ask(`attach/${basket.pid}`)).text();
    expect(page).toContain('<b>NODE_ENV is production.</b>');
    expect(page).toMatch(new RegExp(`<form method="post" action="/[\\w-]+/attach/${basket.pid}">`));
    expect(page).toMatch(/Pauses it for up to [\d.]+ s in all/);
  });

  it('takes neither a GET, nor a POST without the token or of another site', async () => {
    expect((await post(`attach/${basket.pid}`, { cookie: '' })).status).toBe(401);
    expect((await post(`attach/${basket.pid}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(`detach/${basket.pid}`, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask(`attach/${basket.pid}`, { method: 'PUT' })).status).toBe(405);
    expect((await post(`attached/${basket.pid}`)).status).toBe(405);
    expect((await post(`attach/${basket.pid}`, {}, `look=${'x'.repeat(2000)}`)).status).toBe(413);
    expect((await ask(`attached/${basket.pid}`)).status).toBe(404);
    expect((await ask(`attach/${process.ppid + 4_000_000}`)).status).toBe(404);
  });

  it('shows what was found by group, and detaches', async () => {
    const attached = await post(`attach/${basket.pid}`);
    expect(attached.status).toBe(303);
    expect(attached.headers.get('location')).toMatch(new RegExp(`/attached/${basket.pid}$`));
    const page = await (await ask(`attached/${basket.pid}`)).text();
    const groups = [...page.matchAll(/<b>([^<]*)<\/b><span class="num">(\d+)/g)].map(([, title, count]) => [
      title,
      count,
    ]);
    expect(groups).toEqual([
      ['Servers', '1'],
      ['Routes', '1'],
      ['Pools, queues, caches and other objects', '1'],
      ['Module variables', expect.any(String)],
    ]);
    expect(page).toMatch(/<bdi>basket\.pool<\/bdi>.*2 of 7/);
    const [, bean = ''] = /href="\/[\w-]+\/([^"]*basket\.pool\.html)"/.exec(page) ?? [];
    expect(await (await ask(bean)).text()).toContain('basket.pool');
    expect((await post(`attach/${basket.pid}`)).headers.get('location')).toContain('/attached/');
    expect(await (await ask(`detach/${basket.pid}`)).text()).toContain('<button class="button main">Detach</button>');
    const detached = await post(`detach/${basket.pid}`);
    expect(detached.headers.get('location')).toMatch(new RegExp(`\\?detached=${basket.pid}$`));
    const list = await (await ask(`?detached=${basket.pid}`)).text();
    expect(list).toContain(`<p>Jig has left process ${basket.pid}.</p>`);
    expect(list).toContain(`/attach/${basket.pid}">Attach…</a>`);
  });

  it('says why a process was not detached from', async () => {
    const answer = await post(`detach/${basket.pid}`);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toMatch(
      /<b>Not detached\.<\/b> Jig is not attached to process \d+\..*\/detach\/\d+">Try/s,
    );
  });

  it('asks a process again that does not answer in time', async () => {
    const busy = await programs.start('unprepared/basket.cjs', { nodeFlags: ['--inspect-port=0'] });
    await post(`attach/${busy.pid}`);
    process.kill(busy.pid, 'SIGSTOP');
    const late = await ask(`attached/${busy.pid}`);
    process.kill(busy.pid, 'SIGCONT');
    expect(late.status).toBe(503);
    expect(late.headers.get('refresh')).toBe('2');
    expect(await late.text()).toContain('did not answer within 5 s. It is busy, or still being searched.');
    expect((await ask(`attached/${busy.pid}`)).status).toBe(200);
  });

  it('says why a process was not attached to', async () => {
    const stopped = await programs.start('unprepared/basket.cjs');
    process.kill(stopped.pid, 'SIGSTOP');
    const answer = await post(`attach/${stopped.pid}`);
    process.kill(stopped.pid, 'SIGCONT');
    expect(answer.status).toBe(409);
    expect(await answer.text()).toMatch(
      /role="alert"><p><b>Not attached\.<\/b> Process \d+ cannot be attached to\. It is stopped/,
    );
  });
});
