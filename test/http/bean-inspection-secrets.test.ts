import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mainWith, makeApplication } from '../support/make-application.ts';
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
  for (const secret of secrets) {
    const spellings = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
    ];
    for (const [path, text] of texts) {
      for (const spelling of spellings) expect([path, text.includes(spelling)]).toEqual([path, false]);
    }
  }
}

/** The secrets that the service has made for itself. */
async function madeSecrets(home: string): Promise<string[]> {
  const files = (await readdir(home, { recursive: true })).filter((file) =>
    /(^|\/)(password|[^/]*secret[^/]*)$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(home, file), 'utf8')));
  return texts.map((text) => text.trim()).filter((text) => text.length > 5);
}

describe('no secret that the process was given is in any bean', () => {
  it('of the service, with its database', async () => {
    const service: RunningService = await startService({
      environment: { JIG_BEAN_INSPECTION_TOKEN: planted.token, SOME_PASSWORD: planted.environment },
    });
    try {
      const texts = await readAll(service.url);
      expect(texts.has('/jig/bean/database.json')).toBe(true);
      const made = await madeSecrets(service.home);
      expect(made.length).toBeGreaterThan(0);
      expectNone(texts, [planted.token, planted.environment, ...made]);
    } finally {
      await service.stop();
    }
  }, 120_000);

  it('of an application that is careless with them', async () => {
    const main = mainWith(`[{
      name: 'careless',
      register(host) {
        const { session } = ${JSON.stringify(planted)};
        host.secret('generated-password-4711');
        host.define('typed', { type: session, create: () => ({}) });
        host.define('careless', { type: 'Careless', create: () => ({
          note: 'the secret is ' + session,
          bytes: Buffer.from(session),
          list: [session, { deep: new Map([[session, 'generated-password-4711']]) }],
          url: 'postgres://me:generated-password-4711@host/db',
          error: new Error('cannot log in with generated-password-4711'),
          password: 'some other password',
          get broken() { throw new Error(session); },
        }) });
      },
    }]`);
    const application = await makeApplication({ main, dependencies: ['@jig/bean-inspection'] });
    const service = await startService({
      main: application.main,
      workingDirectory: application.folder,
      environment: { JIG_BEAN_INSPECTION_TOKEN: planted.token, JIG_SESSIONS_SECRET: planted.session },
    });
    try {
      const texts = await readAll(service.url);
      expect(texts.get('/jig/bean/careless.json')).toContain('the secret is ******');
      expect(texts.get('the page of all beans')).toContain('<code>******</code>');
      expectNone(texts, [planted.token, planted.session, 'generated-password-4711', 'some other password']);
    } finally {
      await service.stop();
      await application.remove();
    }
  });
});
