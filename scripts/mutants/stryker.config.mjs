// npm run mutants [-- AREA]: changes the code in small ways and lists the changes that no unit test notices. It is not part of npm test.
const areas = {
  walk: ['packages/inspect/src/walk', 'packages/inspect/src/{walk,inspect,any-bean,traps}*.test.ts'],
  masking: ['packages/inspect/src/masking', 'packages/inspect/src/masking/*.test.ts'],
  access: ['packages/bean-inspection/src/http', 'packages/bean-inspection/src/http/*.test.ts'],
  requests: ['packages/http/src', 'packages/http/src/*.test.ts'],
  sessions: ['packages/sessions/src', 'packages/sessions/src/*.test.ts'],
};

const area = process.env.MUTANTS_AREA ?? 'masking';
if (!Object.hasOwn(areas, area))
  throw new Error(`There is no area ${area}; there are ${Object.keys(areas).join(', ')}.`);
const [folder, tests] = areas[area];
process.env.MUTANTS_TESTS = tests;

export default {
  mutate: [`${folder}/**/*.ts`, '!**/*.test.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutants/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  dryRunTimeoutMinutes: 10,
  // Ten times what a run of these tests takes: a busy machine must not pass for a change that was noticed.
  timeoutMS: 15_000,
  timeoutFactor: 3,
  // Stryker would rewrite it with the API of TypeScript 5.
  tsconfigFile: 'scripts/mutants/none.json',
  disableTypeChecks: false,
  ignorePatterns: [
    '.github',
    'docs',
    'examples',
    'bench',
    'deploy',
    'scripts/release',
    'service',
    '/test/*',
    '!/test/support',
  ],
  tempDirName: '.jig/mutants',
  reporters: ['clear-text', 'progress-append-only'],
  thresholds: { high: 90, low: 85, break: 85 },
};
