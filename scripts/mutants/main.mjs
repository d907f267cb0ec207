// npm run mutants: changes the code in small ways and counts the changes that the unit tests notice. It is not part of npm test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { areas } from './areas.mjs';
import { sampledRanges } from './sampled-ranges.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The share of changes that the tests have to notice. */
const required = 0.85;
const detected = new Set(['Killed', 'Timeout']);
const judged = new Set([...detected, 'Survived', 'NoCoverage']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
  },
});

function optionsFor({ folder, files = readdirSync(join(root, folder)), sample }) {
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const mutate = sources.sort().flatMap((name) => {
    const file = `${folder}/${name}`;
    const lineCount = readFileSync(join(root, file), 'utf8').split('\n').length;
    return sampledRanges(file, lineCount, values.all ? 1 : sample, values.seed);
  });
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts/mutants/progress.mjs')],
    vitest: { configFile: 'scripts/mutants/vitest.config.mjs', related: false },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
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
    reporters: ['jig-progress'],
    logLevel: 'error',
  };
}

/** Looks at one area; returns whether its tests notice enough. */
async function look(name) {
  process.env.MUTANTS_AREA = name;
  console.log(name);
  const results = (await new Stryker(optionsFor(areas[name])).runMutationTest()).filter(({ status }) =>
    judged.has(status),
  );
  const noticed = results.filter(({ status }) => detected.has(status));
  const share = noticed.length / results.length;
  const percent = (100 * share).toFixed(1);
  console.log(`${name}: ${noticed.length} of ${results.length} changes noticed, ${percent}% (seed ${values.seed})`);
  return share >= required;
}

const unknown = positionals.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0)
  throw new Error(`There is no area ${unknown.join()}; there are ${Object.keys(areas).join(', ')}.`);
const failed = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(areas)) {
  if (!(await look(name))) failed.push(name);
}
if (failed.length > 0) console.error(`Less than ${100 * required}% noticed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
