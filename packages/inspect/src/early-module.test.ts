import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, constants } from 'node:vm';
import { expect, it } from 'vitest';
import { written } from '../test-fixtures/shown.ts';

const sender = `import * as self from './early.mjs'; process.emit('early', self); export const later = 1, soon = 2;`;

/** Node's own way to load a module; Vitest would make an object that is only like one. */
const load = compileFunction('return import(address)', ['address'], {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (address: string) => Promise<unknown>;

it('a module that is still being loaded is shown, with a marker for each export that is not set yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jig-module-'));
  await writeFile(join(folder, 'early.mjs'), sender);
  const documents: string[] = [];
  const look = (early: unknown) => documents.push(written({ early }), written(early, { at: '/soon' }));
  process.once('early' as 'exit', look);
  const loaded: unknown = await load(pathToFileURL(join(folder, 'early.mjs')).href);
  await rm(folder, { recursive: true });
  expect(documents).not.toEqual([]);
  for (const document of documents) expect(document).toMatch(/"\[Threw ReferenceError: .*\bsoon\b.*\]"/);
  expect(written(loaded)).toBe('{"later":1,"soon":2}');
});
