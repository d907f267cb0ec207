import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';
import { kindOf } from './test-kinds.mjs';

/** The kinds of the tests in these places; none, where a place is misspelt. */
export function kindsOfTestsIn(places) {
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  // `--json` takes the word behind it for the name of a file.
  const args = ['list', '--filesOnly', ...places, '--json'];
  const { stdout, stderr } = spawnSync(vitest, args, { cwd: root, encoding: 'utf8' });
  try {
    return [...new Set(JSON.parse(stdout).map(({ file }) => kindOf(relative(root, file))))];
  } catch {
    throw new Error(`The tests cannot be listed: ${stderr || stdout}`);
  }
}
