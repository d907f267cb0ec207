import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '@jig/application';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { copyInitialisedHome } from '../support/initialised-home.ts';
import { type RunningService, startService } from '../support/start-service.ts';

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
  it('of the service, its database, flags or environment, nor does the log', async () => {
    const home = await mkdtemp(join(tmpdir(), 'jig-secrets-'));
    // The user that runs the database passes through it.
    await chmod(home, 0o755);
    await copyInitialisedHome(home);
    const service: RunningService = await startService({
      home,
      environment: {
        JIG_SESSIONS_PREVIOUS_SECRETS: planted.session,
        AWS_SECRET_ACCESS_KEY: planted.environment,
        MY_SETTING: `https://user:${planted.environment}@example.org/`,
      },
      flags: ['--beanInspection.token', planted.token],
    });
    try {
      const texts = await readAll(service.url);
      expect(texts.has('/jig/bean/database.json')).toBe(true);
      const made = await madeSecrets(service.home);
      // Of the sessions and of the database.
      expect(made.length).toBeGreaterThanOrEqual(2);
      expectNone(texts, [...Object.values(planted), ...made]);
      expectNone(new Map([['the log', service.output()]]), [...Object.values(planted), ...made]);
    } finally {
      await service.stop();
      await rm(home, { recursive: true, force: true });
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
    const asked = {
      beans: ['careless'],
      texts: ['secret', session.slice(0, 8), 'host'],
      change: () => bean.list.pop(),
    };
    const answers = await everyAnswer(application.url, asked, { authorization: `Bearer ${token}` });
    // What is searched for is repeated.
    expectNone(answers, [token, session, generated, 'some other password']);
  });
});
