import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Whether there are tests in these places: a misspelt one would pass, having nothing that could fail. */
export function hasTests(places) {
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const { status, stdout } = spawnSync(vitest, ['list', '--filesOnly', ...places], { cwd: root, encoding: 'utf8' });
  return status !== 0 || stdout.trim() !== '';
}
