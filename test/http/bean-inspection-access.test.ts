import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { type RunningService, runService, startService } from '../support/start-service.ts';

let application: MadeApplication;
const running: RunningService[] = [];

beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'] });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

afterAll(() => application.remove());

async function start(environment: NodeJS.ProcessEnv = {}): Promise<RunningService> {
  const service = await startService({ main: application.main, workingDirectory: application.folder, environment });
  running.push(service);
  return service;
}

const paths = [
  '/jig/bean',
  '/jig/bean.xml',
  '/jig/bean/process.json',
  '/jig/bean/nothing.xml',
  '/jig/bean/process',
  '/jig/bean/%70rocess.json',
  '/jig/bean/process.json/',
];

async function statuses(url: string, headers: Record<string, string> = {}): Promise<Set<number>> {
  const answers = await Promise.all(paths.map((path) => request(url, `GET ${path}`, headers)));
  return new Set(answers.map(({ status }) => status));
}

async function refusal(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await request(url, 'GET /jig/bean/process.json', headers);
  expect(answer.status).toBe(403);
  return (JSON.parse(answer.body) as { detail: string }).detail;
}

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1');

/** The address of an interface that other machines may reach. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === 'IPv4')?.address;

describe('without a token', () => {
  it('refuses names that are not its own, and pages of other sites, on every path', async () => {
    const { url } = await start();
    const { port, host } = new URL(url);
    const refused: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: `localhost.evil.example:${port}` },
      { host: `8.8.8.8:${port}` },
      { host: `a@localhost:${port}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost.evil.example:${port}` },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=10.0.0.1' },
    ];
    for (const headers of refused) expect([headers, await statuses(url, headers)]).toEqual([headers, new Set([403])]);
    const taken: Record<string, string>[] = [
      {},
      { host: `localhost:${port}` },
      { host: `LOCALHOST:${port}` },
      { host: `app.localhost:${port}` },
      { host: `[::1]:${port}` },
      { origin: `http://${host}` },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of taken)
      expect([headers, (await request(url, 'GET /jig/bean/process.json', headers)).status]).toEqual([headers, 200]);
  });

  it('says how to allow what it refuses', async () => {
    const { url } = await start();
    expect(await refusal(url, { host: 'evil.example' })).toContain('beanInspection.hosts');
    expect(await refusal(url, { 'x-forwarded-for': '1.2.3.4' })).toContain('beanInspection.token');
    expect(await refusal(url, { origin: 'http://evil.example' })).toContain('open the address itself');
  });

  it('takes names that are configured', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_HOSTS: 'Beans.example' });
    expect((await request(url, 'GET /jig/bean/process.json', { host: 'beans.example' })).status).toBe(200);
  });

  it('refuses whoever does not come over the loopback, and names the list of beans only to those who do', async () => {
    const service = await start({ HOST: '0.0.0.0' });
    const { port } = new URL(service.url);
    await service.printed(new RegExp(`listening on http://127\\.0\\.0\\.1:${port} \\(open [^)]*/jig/bean\\)`));
    if (ownAddress === undefined) return;
    const elsewhere = `http://${ownAddress}:${port}`;
    await service.printed(new RegExp(`listening on ${elsewhere} \\(open /`));
    expect(service.output()).not.toMatch(new RegExp(`listening on ${elsewhere} \\(open [^)]*/jig/bean`));
    expect(await statuses(elsewhere)).toEqual(new Set([403]));
  });

  it('announces an address that opens where all of IPv6 is listened on, if there is any', async () => {
    if (!hasIPv6) return expect(start({ HOST: '::' })).rejects.toThrow();
    const service = await start({ HOST: '::' });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(service.output()).toMatch(/listening on \S+ \(open [^)]*\/jig\/bean\)/);
    expect((await fetch(`${service.url}/jig/bean/process.json`)).status).toBe(200);
  });
});

describe('with a token', () => {
  const token = 'correct-horse-battery-staple';
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  it('needs it from everybody, as Bearer or as the password of Basic', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token });
    const wrong: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${token}x` },
      { authorization: 'Bearer' },
      { authorization: token },
      { authorization: `Digest ${token}` },
      basic(`${token}:`),
      basic(`me:wrong`),
      basic('rubbish'),
    ];
    for (const headers of wrong) expect([headers, await statuses(url, headers)]).toEqual([headers, new Set([401])]);
    const answer = await request(url, 'GET /jig/bean/process.json');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*Basic /);
    expect(answer.body).toContain('beanInspection.token');
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: `bearer ${token}` },
      basic(`me:${token}`),
    ]) {
      expect((await request(url, 'GET /jig/bean/process.json', headers)).status).toBe(200);
    }
  });

  it('takes none that is soon guessed', async () => {
    const environment = { JIG_BEAN_INSPECTION_TOKEN: 'sesame-opens' };
    expect((await request((await start(environment)).url, 'GET /jig/bean/process.json')).status).toBe(401);
    for (const short of ['s', 'sesame-open']) {
      const { exitCode, stderr } = await runService({
        main: application.main,
        workingDirectory: application.folder,
        environment: { JIG_BEAN_INSPECTION_TOKEN: short },
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('expected a text of at least 12 characters')]);
      expect(stderr).not.toContain('sesame');
    }
  });

  it('takes none that no Authorization header can carry', async () => {
    const carried = '!~"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}';
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: carried });
    for (const headers of [{ authorization: `Bearer ${carried}` }, basic(`me:${carried}`)]) {
      expect((await request(url, 'GET /jig/bean/process.json', headers)).status).toBe(200);
    }
    for (const unfit of [
      'correct horse battery',
      'tökén-1234567890',
      'a-tab-\tin-the-token',
      ' surrounded-by-spaces ',
    ]) {
      const { exitCode, stderr } = await runService({
        main: application.main,
        workingDirectory: application.folder,
        environment: { JIG_BEAN_INSPECTION_TOKEN: unfit },
      });
      expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 1]);
      expect(stderr).toContain('without white space and of ASCII characters only');
      expect(stderr).not.toContain(unfit.trim());
    }
  });

  it('names the list of beans under every address', async () => {
    const service = await start({ JIG_BEAN_INSPECTION_TOKEN: token, HOST: '0.0.0.0' });
    const { port } = new URL(service.url);
    await service.printed(
      new RegExp(`listening on http://${ownAddress ?? '127.0.0.1'}:${port} \\(open [^)]*/jig/bean\\)`),
    );
  });

  it('shows beans to the pages of its own site also behind a proxy that changes the host', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token, JIG_SERVER_TRUST_PROXY: 'true' });
    const page = { authorization: `Bearer ${token}`, origin: 'https://public.example' };
    const status = async (headers: Record<string, string>) =>
      (await request(url, 'GET /jig/bean/process.json', { ...page, ...headers })).status;
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status({ 'x-forwarded-host': 'public.example' })).toBe(200);
    expect(await status({ 'x-forwarded-host': 'other.example' })).toBe(403);
  });

  it('still refuses foreign names and pages', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token });
    const authorization = `Bearer ${token}`;
    expect(await statuses(url, { authorization, host: 'evil.example' })).toEqual(new Set([403]));
    expect(await statuses(url, { authorization, origin: 'http://evil.example' })).toEqual(new Set([403]));
  });
});

describe('in production', () => {
  it('is off unless switched on, and says why', async () => {
    const service = await start({ NODE_ENV: 'Production' });
    expect(await statuses(service.url)).toEqual(new Set([404]));
    expect(service.output()).toContain(
      '@jig/bean-inspection is off: NODE_ENV is production and beanInspection.enabled is not true',
    );
    const { url } = await start({ NODE_ENV: 'production', JIG_BEAN_INSPECTION_ENABLED: 'true' });
    expect((await fetch(`${url}/jig/bean/process.json`)).status).toBe(200);
  });

  it('can be off elsewhere too', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_ENABLED: 'false' });
    expect(await statuses(url)).toEqual(new Set([404]));
  });
});

describe('single beans', () => {
  it('are opened and closed by name', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_ALLOW: 'pro*,server', JIG_BEAN_INSPECTION_DENY: 'server' });
    const status = async (name: string) => (await fetch(`${url}/jig/bean/${name}.json`)).status;
    expect([await status('process'), await status('server'), await status('configuration')]).toEqual([200, 403, 403]);
    expect(await status('nothing')).toBe(404);
    const { beans } = (await (await fetch(`${url}/jig/bean`)).json()) as { beans: { name: string }[] };
    expect(beans.map(({ name }) => name)).toEqual(['process']);
  });
});
