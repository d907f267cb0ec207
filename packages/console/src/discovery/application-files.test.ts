import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ApplicationFiles, changedNames } from './application-files.ts';
import { moduleNames } from './names.ts';
import { isOwnFile, packageOf } from './own-files.ts';
import { Slices } from './slices.ts';

const namesOf = (...files: readonly string[]) => [...moduleNames(files).values()];

describe('the names of modules', () => {
  it('are those of their files, with as many folders as make them unique', () => {
    expect(namesOf('/app/src/orders.js', '/app/src/cart.ts')).toEqual(['orders', 'cart']);
    expect(namesOf('/app/orders.js', '/app/admin/orders.js', '/app/cart.js').sort()).toEqual([
      'admin.orders',
      'app.orders',
      'cart',
    ]);
    expect(namesOf('/app/routes/index.js', '/app/index.mjs')).toEqual(['routes', 'app']);
  });

  it('are the same for files with the same path', () => {
    expect(namesOf('/a.js', '/a.ts')).toEqual(['a', 'a']);
  });
});

describe('the files of an application', () => {
  it('exclude packages, unless the application was started from one', () => {
    expect(isOwnFile('/app/main.js', undefined)).toBe(true);
    expect(isOwnFile('/app/node_modules/pg/lib/index.js', undefined)).toBe(false);
    expect(isOwnFile('/lib/node_modules/node-red/red.js', 'node-red')).toBe(true);
    expect(isOwnFile('/lib/node_modules/@node-red/util/index.js', 'node-red')).toBe(true);
    expect(isOwnFile('/lib/node_modules/express/index.js', 'node-red')).toBe(false);
    expect(isOwnFile('node:net', undefined)).toBe(false);
    expect(packageOf('/a/node_modules/@scope/b/node_modules/@c/d/x.js')).toBe('@c/d');
  });

  it('include a class whose constructor is far from its beginning', async () => {
    const head = `class Robot {\n  // ${'A long comment. '.repeat(40)}\n  `;
    const text = `${head}constructor (name) {\n    this.name = name;\n  }\n}`;
    const folder = await mkdtemp(join(tmpdir(), 'jf-'));
    const file = join(folder, 'robot.js');
    await writeFile(file, text);
    const files = new ApplicationFiles(folder, file);
    await files.read(new Slices());
    // The inspector names the place of its parameters.
    const location = { scriptId: '1', lineNumber: 2, columnNumber: '  constructor '.length };
    expect(files.fileOf(runInThisContext(`(${text})`), location)).toBe(file);
    await rm(folder, { recursive: true });
  });

  it('with the same content are distinguished by their importers, with four lookups of a script at most', async () => {
    const text = 'function addToStore(key, value) { return store.set(key, value); }';
    const folder = await mkdtemp(join(tmpdir(), 'jf-'));
    const [main = '', ...others] = ['main.js', 'a.js', 'b.js'].map((name) => join(folder, name));
    for (const file of [main, ...others]) await writeFile(file, text);
    const files = new ApplicationFiles(folder, main);
    for (const file of others) files.addLoaded(file);
    await files.read(new Slices());
    const fileOf = (scriptId: string, likely?: string) =>
      files.fileOf(runInThisContext(`(${text})`), { scriptId, lineNumber: 0, columnNumber: 0 }, likely);
    expect([fileOf('1'), fileOf('1', others[1]), fileOf('1')]).toEqual([undefined, others[1], others[1]]);
    for (let count = 0; count < 4; count++) expect(fileOf('2')).toBeUndefined();
    expect(fileOf('2', main)).toBeUndefined();
    await rm(folder, { recursive: true });
  });
});

describe('changedNames', () => {
  it.each([
    'seen.set("a", 1);',
    'this.seen.push(1);',
    'seen[key] = 1;',
    'seen.count += 1;',
    'seen.count++;',
    'delete seen.a;',
    'seen = new Map();',
  ])('treats %s as a change', (text) => expect(changedNames(text)).toContain('seen'));

  it.each([
    'const seen = new Map();',
    'let seen = [];',
    'if (seen.a === 1 || seen.b == 2) use(seen.get("a"));',
    'const f = (seen) => seen.size >= 1;',
  ])('treats %s as unchanged', (text) => expect(changedNames(text)).not.toContain('seen'));

  it('takes linear time for a long word', () => {
    // With a step for each of its letters and each of these again, it would take minutes.
    expect(changedNames(`${'x'.repeat(1e6)} ${'y'.repeat(1e6)}.push(1)`).size).toBe(1);
  });
});
