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
  const post = (path: string, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers } });

  it('asks first, naming the cost and production', async () => {
    expect(await (await ask('')).text()).toContain(`/attach/${basket.pid}">Attach…</a>`);
    const page = await (await ask(`attach/${basket.pid}`)).text();
    expect(page).toContain('<b>NODE_ENV is production.</b>');
    expect(page).toMatch(new RegExp(`<form method="post" action="/[\\w-]+/attach/${basket.pid}">`));
  });

  it('rejects a GET, and a POST without the token or from another site', async () => {
    expect((await post(`attach/${basket.pid}`, { cookie: '' })).status).toBe(401);
    expect((await post(`attach/${basket.pid}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(`detach/${basket.pid}`, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask(`attach/${basket.pid}`, { method: 'PUT' })).status).toBe(405);
    expect((await ask(`detach/${basket.pid}`)).status).toBe(405);
    expect((await ask(`attach/${process.ppid + 4_000_000}`)).status).toBe(404);
  });

  it('links to the beans, and detaches', async () => {
    const attached = await post(`attach/${basket.pid}`);
    expect(attached.status).toBe(303);
    const beans = attached.headers.get('location') ?? '';
    expect(beans).toMatch(/^\/[\w-]+\/i\/[\w-]+\/jig\/bean$/);
    const list = await (await ask(new URL(beans, home).href.slice(home.length))).text();
    expect(list).toContain('basket.pool');
    expect(list).toContain('Start the application with jig run to see them.');
    expect((await post(`attach/${basket.pid}`)).headers.get('location')).toBe(beans);
    expect(await (await ask('')).text()).toMatch(
      new RegExp(`<form method="post" action="/[\\w-]+/detach/${basket.pid}"><button class="ghost">Detach</button>`),
    );
    const detached = await post(`detach/${basket.pid}`);
    expect(detached.headers.get('location')).toMatch(new RegExp(`\\?detached=${basket.pid}$`));
    const processes = await (await ask(`?detached=${basket.pid}`)).text();
    expect(processes).toContain(`<p>Jig has left process ${basket.pid}.</p>`);
    expect(processes).toContain(`/attach/${basket.pid}">Attach…</a>`);
  });

  it('reports why a process could not be detached', async () => {
    const answer = await post(`detach/${basket.pid}`);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain(`Jig is not attached to process ${basket.pid}.`);
  });

  it('reports why a process could not be attached', async () => {
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
