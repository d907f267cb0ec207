import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import swagger from '@fastify/swagger';
import type { AddOnContext, Feature, SettingsSchema } from '@jig/application';
import { type Application, createApplication } from '@jig/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApplication } from '../../test-fixtures/running-application.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-application-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function assemble(register: Feature['register']): Promise<Application> {
  await writeFile(join(folder, 'package.json'), '{}');
  return createApplication({
    name: 'Made',
    description: 'Made for a test.',
    version: '1.2.3',
    manifest: pathToFileURL(join(folder, 'package.json')),
    features: [{ name: 'looking', register }],
    flags: ['--home=data', '--log.level=silent', '--port=0'],
    environment: {},
    workingDirectory: folder,
  });
}

it('resolves relative paths against the given working directory', async () => {
  let seen: AddOnContext<SettingsSchema> | undefined;
  const application = await assemble((host) => {
    seen = host;
  });
  await application.stop();
  expect(seen).toMatchObject({ home: join(folder, 'data'), workingDirectory: folder });
  expect((await stat(join(folder, 'data'))).isDirectory()).toBe(true);
});

it('rejects a session store whose bean is not defined, instead of using another', async () => {
  const offer = { name: 'shared', priority: 50, bean: 'misspelt' };
  const application = await assemble((host) => host.sessionStore(offer));
  await expect(application.ready()).rejects.toMatchObject({ code: 'JIG_BEAN_UNKNOWN' });
});

it('creates no bean before the start, not even the session store', async () => {
  const made: string[] = [];
  const application = await assemble((host) => {
    const create = () => {
      made.push('store');
      return { read: () => undefined, merge: () => 'stored', touch: () => {}, destroy: () => {}, count: () => 0 };
    };
    host.define('store', { type: 'Store', create });
    host.sessionStore({ name: 'shared', priority: 50, bean: 'store' });
    host.routes(async (server) => {
      server.get('/attributes', async ({ session }) => [...(await session.entries())]);
    });
  });
  expect(made).toEqual([]);
  const url = await application.start();
  try {
    expect(made).toEqual(['store']);
    expect(await (await fetch(`${url}/attributes`)).json()).toEqual([]);
  } finally {
    await application.stop();
  }
});

describe('two parts', () => {
  const health = { ok: true, state: 'ready' };

  /** Two features, each of which registers as it is told. */
  const two = (first: Feature['register'], second: Feature['register']) =>
    startApplication([
      { name: 'one', register: first },
      { name: 'other', register: second },
    ]);

  it('that register the same line of /health are rejected with an error that names both', async () => {
    const started = two(
      (host) => host.health('orders', () => health),
      (host) => host.health('orders', () => health),
    );
    await expect(started).rejects.toMatchObject({
      code: 'JIG_NAME_TAKEN',
      message:
        'The line orders of /health is defined by both one and other; rename one of them, or leave one of these parts out.',
    });
  });

  it('can serve an @fastify/swagger document of their own beside /openapi.json', async () => {
    const schema = { summary: 'The orders.' };
    await using application = await two(
      (host) =>
        host.routes(async (server) => {
          await server.register(swagger, { openapi: {} });
          server.get('/orders', { schema }, async () => []);
          server.get('/own.json', { schema: { hide: true } }, async () => server.swagger());
        }),
      () => {},
    );
    const described = async (path: string) =>
      ((await (await fetch(`${application.url}${path}`)).json()) as { paths: object }).paths;
    expect(await described('/own.json')).toMatchObject({ '/orders': { get: schema } });
    expect(await described('/openapi.json')).toMatchObject({ '/orders': { get: schema }, '/health': {} });
  });
});
