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

const find = (name: string) => findAddOns({ folder: join(folder, 'app'), dependencies: [name] });

describe('an add-on', () => {
  const manifest = JSON.stringify({
    version: '1.0.0',
    exports: './hidden.js',
    jig: { addOn: './add-on.js', section: 'x' },
  });
  const foundAt = (path: string) => [
    { name: 'x', version: '1.0.0', section: 'x', beans: [], module: pathToFileURL(join(folder, path, 'add-on.js')) },
  ];

  it.each(['app/node_modules/x', 'node_modules/x'])('is found in %s', async (path) => {
    await write(`${path}/package.json`, manifest);
    expect(await find('x')).toEqual(foundAt(path));
  });

  it('is found in a parent folder when a nearer folder of its name holds no package', async () => {
    await write('app/node_modules/x/left-over.txt', '');
    await write('node_modules/x/package.json', manifest);
    expect(await find('x')).toEqual(foundAt('node_modules/x'));
  });
});

it('is not found when its package is not installed', async () => {
  expect(await find('x')).toEqual([]);
});

it('is not a dependency whose package.json names no add-on', async () => {
  await write('app/node_modules/x/package.json', '{"version":"1.0.0","jig":null}');
  expect(await find('x')).toEqual([]);
});

it.each(['{ "jig": ', '', 'null', '{"jig":{"addOn":42}}'])(
  'ends the start when the package.json of a dependency cannot be used: %s',
  async (text) => {
    await write('app/node_modules/x/package.json', text);
    await expect(find('x')).rejects.toMatchObject({
      code: 'JIG_ADD_ON_UNUSABLE',
      addOn: 'x',
      message: expect.stringMatching(
        /^The package.json of the dependency x cannot be used: .*; install it again\.$/,
      ) as string,
    });
  },
);
