import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AddOnContext, Feature } from '../add-ons/feature.ts';
import type { SettingsSchema } from '../configuration/setting.ts';
import { Application } from './application.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-application-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function assemble(register: Feature['register']): Promise<Application> {
  await writeFile(join(folder, 'package.json'), '{}');
  return Application.assemble({
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

it('begins relative paths at the working directory that it is given', async () => {
  let seen: AddOnContext<SettingsSchema> | undefined;
  const application = await assemble((host) => {
    seen = host;
  });
  await application.stop();
  expect(seen).toMatchObject({ home: join(folder, 'data'), workingDirectory: folder });
  expect((await stat(join(folder, 'data'))).isDirectory()).toBe(true);
});

it('shows in /health also what a part tells of itself with its routes', async () => {
  const application = await assemble((host) =>
    host.routes(async () => host.health('late', () => ({ ok: true, state: 'ready' }))),
  );
  const url = await application.start();
  try {
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ parts: { late: { state: 'ready' } } });
  } finally {
    await application.stop();
  }
});

it('keeps sessions in no other store when one is offered whose bean nobody defines', async () => {
  const offer = { name: 'shared', priority: 50, bean: 'misspelt' };
  await expect(assemble((host) => host.sessionStore(offer))).rejects.toMatchObject({ code: 'JIG_BEAN_UNKNOWN' });
});
