import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '@jig/application';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import { listBeans } from '../support/list-beans.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';

const planted = {
  token: 'planted-inspection-token-81723',
  session: 'planted-session-secret-0123456789abcdef',
  environment: 'planted-environment-secret-5512',
};

async function readAll(url: string): Promise<Map<string, string>> {
  const headers = { authorization: `Bearer ${planted.token}` };
  const index = (await (await fetch(`${url}/jig/bean`, { headers })).json()) as {
    beans: { links: Record<string, string> }[];
  };
  const paths = index.beans.flatMap(({ links }) => Object.values(links)).flatMap((path) => [path, `${path}?pretty`]);
  const texts = new Map<string, string>();
  for (const path of ['/jig/bean', '/jig/bean.xml', ...paths]) {
    const answer = await fetch(url + path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    texts.set(path, await answer.text());
  }
  const page = await fetch(`${url}/jig/bean`, { headers: { ...headers, accept: 'text/html' } });
  texts.set('the page of all beans', await page.text());
  return texts;
}

function expectNone(texts: ReadonlyMap<string, string>, secrets: readonly string[]): void {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ]);
  const shown = [...texts].flatMap(([path, text]) =>
    spellings.filter((spelling) => text.includes(spelling)).map((spelling) => `${path} shows ${spelling}`),
  );
  expect(shown).toEqual([]);
}

/** The secrets that the service has made for itself. */
async function madeSecrets(home: string): Promise<string[]> {
  const files = (await readdir(home, { recursive: true })).filter((file) => /(?:\.password|secret[^/]*)$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(home, file), 'utf8')));
  return texts.map((text) => text.trim()).filter((text) => text.length > 5);
}

describe('no bean shows a secret', () => {
  it('of the service, its database or its environment', async () => {
    const home = await mkdtemp(join(tmpdir(), 'jig-secrets-'));
    // The user that runs the database passes through it.
    await chmod(home, 0o755);
    await copyInitialisedHome(home);
    const service: RunningService = await startService({
      home,
      environment: { JIG_BEAN_INSPECTION_TOKEN: planted.token, SOME_PASSWORD: planted.environment },
    });
    try {
      const texts = await readAll(service.url);
      expect(texts.has('/jig/bean/database.json')).toBe(true);
      const made = await madeSecrets(service.home);
      // Of the sessions and of the database.
      expect(made.length).toBeGreaterThanOrEqual(2);
      expectNone(texts, [planted.token, planted.environment, ...made]);
    } finally {
      await service.stop();
      await rm(home, { recursive: true, force: true });
    }
  }, 120_000);

  it('given in the environment or by flags, nor does the log', async () => {
    const environment = {
      ...withoutDatabase,
      JIG_SESSIONS_SECRET: 'planted-session-secret-0123456789abcdef',
      JIG_SESSIONS_PREVIOUS_SECRETS: 'planted-previous-secret-0123456789abcdef',
      AWS_SECRET_ACCESS_KEY: 'planted-aws-key',
      DATABASE_PASSWORD: 'planted-database-password',
      API_TOKEN: 'planted-api-token',
      MY_SETTING: 'https://user:planted-in-url@example.org/',
      HARMLESS_LOOKING: 'planted-harmless',
      JIG_BEAN_INSPECTION_TOKEN: 'planted-token',
    };
    const flags = ['--beanInspection.token', 'planted-flag-token'];
    const service = await startService({ environment, flags, nodeFlags: ['--title=planted-title'] });
    const headers = { authorization: 'Bearer planted-flag-token' };
    try {
      const visitor = new Visitor(service.url, headers);
      const stored = await visitor.choose({ a: '1' });
      const [id = ''] = /(?<==)[^.;]+/.exec(stored.headers.getSetCookie()[0] ?? '') ?? [];
      expect(id.length).toBeGreaterThan(20);
      const beans = await listBeans(service.url, headers);
      expect(beans.length).toBeGreaterThan(10);
      for (const link of beans.flatMap(({ links }) => [links.json, links.xml])) {
        const text = await (await visitor.ask(link)).text();
        expect(text.replaceAll('planted-title', '')).not.toMatch(/planted/);
        expect(text).not.toContain(id);
      }
      expect(service.output()).not.toMatch(/planted-(?!title)/);
    } finally {
      await service.stop();
    }
  });

  it('of an application whose beans hold secrets in texts, bytes, errors and keys', async () => {
    const { session, token } = planted;
    const generated = 'generated-password-4711';
    const bean = {
      note: `the secret is ${session}`,
      bytes: Buffer.from(session),
      list: [session, { deep: new Map([[session, generated]]) }],
      url: `postgres://me:${generated}@host/db`,
      error: new Error(`cannot log in with ${generated}`),
      password: 'some other password',
      get broken(): never {
        throw new Error(session);
      },
    };
    const careless: Feature = {
      name: 'careless',
      register(host) {
        host.secret(generated);
        host.define('careless', { type: 'Careless', create: () => bean });
        host.define('typed', { type: session, create: () => ({}) });
      },
    };
    const flags = [`--beanInspection.token=${token}`, `--sessions.secret=${session}`];
    await using application = await startApplication([beanInspection, careless], flags);
    const texts = await readAll(application.url);
    expect(texts.get('/jig/bean/careless.json')).toContain('the secret is ******');
    expect(texts.get('the page of all beans')).toContain('<code>******</code>');
    expectNone(texts, [token, session, generated, 'some other password']);
  });
});
