import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Packages of this repository that the application can depend on. */
const own = ['@jig', '@jig-examples'];

export interface MadeApplication {
  readonly folder: string;
  /** The module to run. */
  readonly main: string;
  readonly remove: () => Promise<void>;
}

export interface ApplicationParts {
  readonly dependencies?: readonly string[];
  /** Packages written for this one application: names to their files. */
  readonly packages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** An expression for the features of its own, in a module `application.js` beside main.js; without it, there are none. */
  readonly features?: string;
  /** The text of main.js; without it, one that runs `application.js`. */
  readonly main?: string;
  /** Further files at the application's root. */
  readonly files?: Readonly<Record<string, string>>;
}

const optionsWith = (features: string) => `{
  name: 'Made',
  description: 'Made for a test.',
  version: '1.2.3',
  manifest: new URL('./package.json', import.meta.url),
  features: ${features},
}`;

/** The main module of an application that has the given expression as its features. */
export const mainWith = (features: string) => `
import { runApplication } from '@jig/application';
await runApplication(${optionsWith(features)});
`;

const mainOfApplication = `
import { runApplication } from '@jig/application';
import { application } from './application.js';
await runApplication(application);
`;

/** Writes an application into a folder of its own, as a user of the packages would. */
export async function makeApplication({
  dependencies = [],
  packages = {},
  features = '[]',
  main = mainOfApplication,
  files = {},
}: ApplicationParts): Promise<MadeApplication> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-application-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const wanted = Object.fromEntries(['@jig/application', ...dependencies].map((name) => [name, '*']));
  const manifest = { name: 'made', type: 'module', dependencies: wanted };
  await write('package.json', JSON.stringify(manifest));
  await write('application.js', `export const application = ${optionsWith(features)};`);
  await write('main.js', main);
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  for (const scope of own) await symlink(join(installed, scope), join(folder, 'node_modules', scope));
  for (const [name, texts] of Object.entries(packages)) {
    for (const [path, text] of Object.entries(texts)) await write(join('node_modules', name, path), text);
  }
  return { folder, main: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
