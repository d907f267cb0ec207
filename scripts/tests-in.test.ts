import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const module = new URL('tests-in.mjs', import.meta.url).href;

it.each([
  [
    ['packages/clock/src/page', 'test/browser/clock.test.ts'],
    ['browser', 'unit'],
  ],
  [['packages/clok'], []],
])('finds in %j tests of the projects %j', (places, projects) => {
  const script = `
    import { projectsWithTestsIn } from ${JSON.stringify(module)};
    console.log(JSON.stringify(projectsWithTestsIn(process.argv.slice(1)).sort()));`;
  const args = ['--input-type=module', '--eval', script, ...places];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual(projects);
});
