import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const module = new URL('tests-in.mjs', import.meta.url).href;

it.each([
  [
    ['packages/clock/src/page', 'test/browser/clock.test.ts'],
    ['browser', 'built', 'unit'],
  ],
  [['packages/clok'], []],
])('finds in %j tests of the kinds %j', (places, kinds) => {
  const script = `
    import { kindsOfTestsIn } from ${JSON.stringify(module)};
    console.log(JSON.stringify(kindsOfTestsIn(process.argv.slice(1)).map(({ name }) => name).sort()));`;
  const args = ['--input-type=module', '--eval', script, ...places];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual(kinds);
});
