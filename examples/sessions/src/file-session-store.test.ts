import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sessions from '@jig/sessions';
import { sessionStoreCases } from '@jig/sessions/store-suite';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { FileSessionStore } from './file-session-store.ts';

const root = await mkdtemp(join(tmpdir(), 'jig-example-'));
const newFolder = () => join(root, randomUUID());

afterAll(() => rm(root, { recursive: true, force: true }));

describe.concurrent('the file session store', () => {
  it.each(sessionStoreCases)('$name', ({ run }) =>
    run(async () => ({ store: new FileSessionStore({ folder: newFolder() }) })),
  );
});

it('a session in files survives a restart of the application', async () => {
  const folder = newFolder();
  const visit = async (cookie = '') => {
    const app = fastify();
    const store = new FileSessionStore({ folder });
    await app.register(sessions, { secret: 'a secret that is long enough for a test', store });
    app.get('/', async ({ session }) => {
      const visits = Number((await session.get('visits')) ?? 0) + 1;
      await session.set('visits', String(visits));
      return visits;
    });
    const response = await app.inject({ url: '/', headers: { cookie } });
    await app.close();
    return { visits: response.body, cookie: String(response.headers['set-cookie']).split(';')[0] };
  };
  const first = await visit();
  expect(first.visits).toBe('1');
  expect((await visit(first.cookie)).visits).toBe('2');
});
