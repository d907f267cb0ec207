import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AddOnContext } from '../add-ons/feature.ts';
import type { SettingsSchema } from '../configuration/setting.ts';
import { Application } from './application.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-application-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('begins relative paths at the working directory that it is given', async () => {
  await writeFile(join(folder, 'package.json'), '{}');
  let seen: AddOnContext<SettingsSchema> | undefined;
  const application = await Application.assemble({
    name: 'Made',
    description: 'Made for a test.',
    version: '1.2.3',
    manifest: pathToFileURL(join(folder, 'package.json')),
    features: [
      {
        name: 'looking',
        register: (host) => {
          seen = host;
        },
      },
    ],
    flags: ['--home=data', '--log.level=silent'],
    environment: {},
    workingDirectory: folder,
  });
  await application.stop();
  expect(seen).toMatchObject({ home: join(folder, 'data'), workingDirectory: folder });
  expect((await stat(join(folder, 'data'))).isDirectory()).toBe(true);
});
