import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { failInProcess, type InProcessService, startInProcess } from '../support/in-process.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { withoutDatabase } from '../support/start-service.ts';
import { cookieOf } from './clock-visitor.ts';

/** Says what a plain object has that it should not; any pollution of the process shows here. */
const features = `[(await import('@jig/clock')).clockFeature, { name: 'canary', register(host) { host.routes(async (server) => {
  server.get('/canary', async () => {
    const inherited = [];
    for (const key in {}) inherited.push(key);
    return {
      inherited,
      own: Reflect.ownKeys(Object.prototype).map(String).sort(),
      arrays: Reflect.ownKeys(Array.prototype).length,
      functions: Reflect.ownKeys(Function.prototype).length,
      polluted: ({}).polluted ?? null,
    };
  });
}) } }]`;

let application: MadeApplication;
let service: InProcessService;
let clean: unknown;

const canary = async () => (await fetch(`${service.url}/canary`)).json();

beforeAll(async () => {
  application = await makeApplication({ features, dependencies: ['@jig/bean-inspection', '@jig/clock'] });
  service = await startInProcess({
    main: application.main,
    workingDirectory: application.folder,
    environment: withoutDatabase,
  });
  clean = await canary();
});

afterAll(async () => {
  await service.stop();
  await application.remove();
});

const names = [
  '__proto__',
  'constructor',
  'prototype',
  '__proto__.polluted',
  '__proto__[polluted]',
  'constructor.prototype.polluted',
  'constructor[prototype][polluted]',
  'toString',
  'hasOwnProperty',
  'cookie',
  'save',
  '__defineGetter__',
  'toJSON',
  'then',
];

const encode = (name: string) => encodeURIComponent(name);

describe('names that mean something to JavaScript', () => {
  it('in a form are stored and returned unchanged, without side effects', async () => {
    // Each has a value of its own: one that is a secret by its name is masked wherever it stands.
    const body = names.map((name, index) => `${encode(name)}=polluted${index}`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    const stored = await request(service.url, 'POST /clock/time', headers, body);
    expect(stored.status).toBe(302);
    const cookie = cookieOf(stored.headers.get('set-cookie') ?? '');
    const shown = await (await fetch(`${service.url}/jig/bean/session.json`, { headers: { cookie } })).text();
    const xml = await fetch(`${service.url}/jig/bean/session.xml`, { headers: { cookie } });
    // A cookie is a secret wherever it shows.
    for (const [index, name] of names.entries())
      expect(shown).toContain(`${JSON.stringify(name)}:"${name === 'cookie' ? '******' : `polluted${index}`}"`);
    expect(xml.status).toBe(200);
    expect((await fetch(`${service.url}/clock/time`, { headers: { cookie } })).status).toBe(200);
    expect(await canary()).toEqual(clean);
  });

  it.each(names)('are not found as bean or property: %s', async (name) => {
    expect((await fetch(`${service.url}/jig/bean/${encode(name)}.json`)).status).toBe(404);
    for (const at of [`/${name}`, `/memory/${name}`, `/${name}/polluted`]) {
      expect([at, (await fetch(`${service.url}/jig/bean/process.json?at=${encode(at)}`)).status]).toEqual([at, 404]);
    }
    expect(await canary()).toEqual(clean);
  });

  it.each(names)('are refused as query parameters: %s', async (name) => {
    const bean = `${service.url}/jig/bean/configuration.json`;
    const [plain, asked] = await Promise.all([fetch(bean), fetch(`${bean}?${encode(name)}=1`)]);
    expect([asked.status, await asked.text()]).toEqual([200, await plain.text()]);
    expect((await fetch(`${service.url}/clock/time?${encode(name)}=1`)).status).toBe(200);
    expect(await canary()).toEqual(clean);
  });

  it.each(names)('are ignored as locale, zone, cookie and encoding: %s', async (name) => {
    const headers = {
      'accept-language': name,
      'accept-encoding': name,
      accept: name,
      cookie: `${name}=1; clock-zone=${encode(name)}`,
    };
    for (const path of ['/clock/time', '/jig/bean', '/health']) {
      expect([path, (await request(service.url, `GET ${path}`, headers)).status]).toEqual([path, 200]);
    }
    expect(await canary()).toEqual(clean);
  });

  it('are refused as settings in a configuration file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-pollution-'));
    for (const text of [
      '{"__proto__":{"polluted":true}}',
      '{"server":{"__proto__":{"port":1}}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"server":{"constructor":1}}',
      '{"server":{"__proto__":1}}',
    ]) {
      await writeFile(join(folder, 'jig.config.json'), text);
      const { stderr } = await failInProcess({ workingDirectory: folder, environment: withoutDatabase });
      expect([text, stderr.trim().split('\n').length]).toEqual([text, 1]);
    }
    await rm(folder, { recursive: true });
  });
});
