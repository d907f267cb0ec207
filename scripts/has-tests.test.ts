import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const module = new URL('has-tests.mjs', import.meta.url).href;

it.each([
  ['packages/clock', 'true'],
  ['packages/clok', 'false'],
])('tells whether there are tests in %s', { timeout: 60_000 }, (place, expected) => {
  const script = `import { hasTests } from ${JSON.stringify(module)}; console.log(hasTests(process.argv.slice(1)));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script, place], { encoding: 'utf8' });
  expect(said.trim()).toBe(expected);
});
