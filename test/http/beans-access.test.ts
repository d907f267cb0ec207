import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { request } from '../support/exchange.ts';
import { failInProcess, startInProcess } from '../support/in-process.ts';
import { listBeans } from '../support/list-beans.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';

const processBean = '/jig/bean/process.json';

/** Addresses of bean inspection, also unknown ones and other spellings, which access rules have to cover all. */
const beanPaths = [
  '/jig/bean',
  '/jig/bean.xml',
  processBean,
  '/jig/bean/nothing.xml',
  '/jig/bean/process',
  '/jig/bean/%70rocess.json',
  '/jig/bean/process.json/',
  '/jig/graph',
  '/jig/compare.json-patch',
];

/** The statuses of all these addresses, each once. */
async function beanStatuses(url: string): Promise<Set<number>> {
  const answers = await Promise.all(beanPaths.map((path) => request(url, `GET ${path}`)));
  return new Set(answers.map(({ status }) => status));
}

/** With bean inspection and nothing else. */
let application: MadeApplication;
beforeAll(async () => {
  application = await makeApplication({ dependencies: ['@jig/bean-inspection'] });
});
afterAll(() => application.remove());

const optionsWith = (environment: NodeJS.ProcessEnv) => ({
  main: application.main,
  workingDirectory: application.folder,
  environment,
});

async function start(environment: NodeJS.ProcessEnv) {
  const service = await startInProcess(optionsWith(environment));
  onTestFinished(async () => void (await service.stop()));
  return service;
}

const addresses = Object.values(networkInterfaces()).flat();
const hasIPv6 = addresses.some((address) => address?.address === '::1');
/** The address of an interface that other machines may reach. */
const ownAddress = addresses.find((address) => address?.internal === false && address.family === 'IPv4')?.address;

describe('without a token, bean inspection', () => {
  it('refuses connections from other interfaces, and logs /jig/bean only with loopback addresses', async () => {
    const service = await start({ HOST: '0.0.0.0' });
    const { port } = new URL(service.url);
    await service.printed(new RegExp(`listening on http://127\\.0\\.0\\.1:${port} \\(open [^)]*/jig/bean\\)`));
    if (ownAddress === undefined) return;
    const elsewhere = `http://${ownAddress}:${port}`;
    await service.printed(new RegExp(`listening on ${elsewhere} \\(open /`));
    expect(service.output()).not.toMatch(new RegExp(`listening on ${elsewhere} \\(open [^)]*/jig/bean`));
    expect(await beanStatuses(elsewhere)).toEqual(new Set([403]));
  });

  it('opens at the logged address when the server listens on all of IPv6', async () => {
    if (!hasIPv6) return expect(start({ HOST: '::' })).rejects.toThrow();
    const service = await start({ HOST: '::' });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(service.output()).toMatch(/listening on \S+ \(open [^)]*\/jig\/bean\)/);
    expect((await fetch(`${service.url}${processBean}`)).status).toBe(200);
  });
});

describe('beanInspection.enabled', () => {
  it('is required in production; without it bean inspection is off and the log says why', async () => {
    const service = await start({ NODE_ENV: 'Production' });
    expect(await beanStatuses(service.url)).toEqual(new Set([404]));
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(service.output()).toContain(
      '@jig/bean-inspection is off: NODE_ENV is production and beanInspection.enabled is not true',
    );
  });

  it('switches bean inspection off in development when it is false', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_ENABLED: 'false' });
    expect(await beanStatuses(url)).toEqual(new Set([404]));
  });
});

it('an invalid beanInspection.token ends the start with one line that does not repeat it', async () => {
  const { stderr } = await failInProcess(optionsWith({ JIG_BEAN_INSPECTION_TOKEN: 'sesame-open' }));
  expect(stderr).toMatch(/^.*expected a text of at least 12 characters.*\n$/);
  expect(stderr).not.toContain('sesame-open');
});

it('beanInspection.allow and beanInspection.deny open and close beans by name', async () => {
  const { url } = await start({ JIG_BEAN_INSPECTION_ALLOW: 'pro*,server', JIG_BEAN_INSPECTION_DENY: 'server' });
  expect((await listBeans(url)).map(({ name }) => name)).toEqual(['process']);
});
