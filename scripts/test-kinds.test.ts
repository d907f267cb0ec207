import { expect, it } from 'vitest';

const module = new URL('test-kinds.mjs', import.meta.url).href;
const { kindsIn } = (await import(module)) as { kindsIn: (paths: string[]) => { name: string }[] };

it.each([
  [['packages/clock/src/page', 'test/browser/clock.test.ts'], 'browser built unit'],
  [['packages/clock/src/selection.test.ts', 'service'], 'built unit'],
  [['packages/clok'], 'unit'],
  [['clock'], ''],
])('finds in %j tests of the kinds %s', (paths, names) => {
  expect(
    kindsIn(paths)
      .map(({ name }) => name)
      .join(' '),
  ).toBe(names);
});
