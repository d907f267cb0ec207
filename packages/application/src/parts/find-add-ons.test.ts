import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAddOns } from './find-add-ons.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-add-ons-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const find = (name: string, unwanted: readonly string[] = []) =>
  findAddOns({ folder: join(folder, 'app'), dependencies: [name], licence: undefined }, new Set(unwanted));

const nothing = { included: [], excluded: [], notInstalled: [] };

describe('an add-on', () => {
  const manifest = JSON.stringify({
    version: '1.0.0',
    exports: './hidden.js',
    jig: { addOn: './add-on.js', section: 'x' },
  });
  const foundAt = (path: string) => ({
    ...nothing,
    included: [
      { name: 'x', version: '1.0.0', section: 'x', beans: [], module: pathToFileURL(join(folder, path, 'add-on.js')) },
    ],
  });

  it.each(['app/node_modules/x', 'node_modules/x'])('is found in %s', async (path) => {
    await write(`${path}/package.json`, manifest);
    expect(await find('x')).toEqual(foundAt(path));
  });

  it('is found in a parent folder when a nearer folder of its name holds no package', async () => {
    await write('app/node_modules/x/left-over.txt', '');
    await write('node_modules/x/package.json', manifest);
    expect(await find('x')).toEqual(foundAt('node_modules/x'));
  });

  it('is left out when addOns.exclude names it', async () => {
    await write('app/node_modules/x/package.json', manifest);
    expect(await find('x', ['x'])).toMatchObject({
      ...nothing,
      excluded: [{ name: 'x', version: '1.0.0', section: 'x' }],
    });
  });
});

it('is reported as not installed when its package is missing', async () => {
  expect(await find('x')).toEqual({ ...nothing, notInstalled: ['x'] });
});

it('is not a dependency whose package.json names no add-on', async () => {
  await write('app/node_modules/x/package.json', '{"version":"1.0.0","jig":null}');
  expect(await find('x')).toEqual(nothing);
});

describe('a dependency whose package.json cannot be used', () => {
  const broken = [
    ['{ "jig": ', 'it is not valid JSON'],
    ['', 'it is not valid JSON'],
    ['null', 'it is not valid JSON'],
    ['{"jig":{"addOn":42}}', '"addOn" below "jig" must be the path of the module'],
    ['{"jig":{"addOn":{"source":1}}}', '"addOn" below "jig" must be the path of the module'],
    [
      '{"jig":{"addOn":"./a.js","section":[]}}',
      '"section" below "jig" must be the name of a section of the configuration',
    ],
  ] as const;

  it.each(broken)('ends the start: %s', async (text, why) => {
    await write('app/node_modules/x/package.json', text);
    await expect(find('x')).rejects.toMatchObject({
      code: 'JIG_ADD_ON_UNUSABLE',
      addOn: 'x',
      message: `The package.json of the dependency x cannot be used: ${why}; install it again, or leave it out with addOns.exclude.`,
    });
  });

  it.each(broken)('is ignored when addOns.exclude names it: %s', async (text) => {
    await write('app/node_modules/x/package.json', text);
    expect((await find('x', ['x'])).excluded).toEqual([{ name: 'x', version: '', beans: [] }]);
  });

  it('ends the start when it is a folder, with an error that names no absolute path', async () => {
    await mkdir(join(folder, 'app/node_modules/x/package.json'), { recursive: true });
    await expect(find('x')).rejects.toThrow(
      'The package.json of the dependency x cannot be used: it is a folder; install it again,',
    );
  });
});
