// npm run mutants: changes the code of a folder in small ways and lists the changes that none of its unit tests notices. It is not part of npm test.
const { MUTANTS: folder = 'packages/inspect/src/masking' } = process.env;
// For vitest.config.mjs.
process.env.MUTANTS = folder;

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
