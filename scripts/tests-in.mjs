import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** The names of the projects that have tests in these places; of none, where a place is misspelt. */
export function projectsWithTestsIn(places) {
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  // `--json` takes the word behind it for the name of a file.
  const args = ['list', '--filesOnly', ...places, '--json'];
  const { stdout, stderr } = spawnSync(vitest, args, { cwd: root, encoding: 'utf8' });
  try {
    return [...new Set(JSON.parse(stdout).map(({ projectName }) => projectName))];
  } catch {
    throw new Error(`The tests cannot be listed: ${stderr || stdout}`);
  }
}
