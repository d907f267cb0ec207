import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const fixture = fileURLToPath(new URL('../../database/fixtures/commonjs.cts', import.meta.url));

it('TypeScript compiles a CommonJS module that imports the package', () => {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'node16',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const compile = () => execFileSync(process.execPath, [tsc, ...options, fixture], { encoding: 'utf8', stdio: 'pipe' });
  expect(compile()).toBe('');
});

it('require returns CommonJS, with the same names as import', async () => {
  for (const name of ['@jig/embedded-database', '@jig/embedded-database/jest', '@jig/embedded-database/vitest']) {
    expect(require.resolve(name)).toMatch(/dist.cjs./);
    expect(Object.keys(require(name)).sort()).toEqual(Object.keys(await import(name)).sort());
  }
});
