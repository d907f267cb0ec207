import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('npm test of a place where there is no test fails, and says so', { timeout: 120_000 }, () => {
  const script = fileURLToPath(new URL('./test.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, 'packages/clok'], { encoding: 'utf8' });
  expect(stderr).toContain('There is no test in packages/clok');
  expect(status).toBe(1);
});
