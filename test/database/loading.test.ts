import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the add-on leaves the clients of PostgreSQL and MySQL to whoever opens a connection', () => {
  const program = `
    import { createRequire } from 'node:module';
    await import('@jig/embedded-database/add-on');
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).filter((file) => /node_modules.(?:pg|mysql2)\\b/.test(file)).length);
    await import('mysql2/promise');
    console.log(Object.keys(cache).filter((file) => /node_modules.mysql2\\b/.test(file)).length > 0);`;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const flags = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, flags, { cwd, encoding: 'utf8' })).toBe('0\ntrue\n');
});
