// npm test: everything that must hold, on a machine that has only Node and npm.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureDebianPackages } from './debian-packages.mjs';
import { hasTests } from './has-tests.mjs';
import { prepare, root } from './prepare.mjs';

prepare();

const filters = process.argv.slice(2);
if (filters.length > 0 && !hasTests(filters)) {
  console.error(`There is no test in ${filters.join(' ')}; name a file or a folder, such as packages/clock.`);
  process.exit(1);
}
ensureDebianPackages();

// Another order every time, so that no test comes to lean on the one before it; the seed repeats an order.
const seed = process.env.TEST_SEED ?? String(Date.now() % 1_000_000);
const order = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
if (!/^\d{1,15}$/.test(seed)) {
  console.error('TEST_SEED must be a whole number, such as 42.');
  process.exit(1);
}
console.log(`The tests run in random order; TEST_SEED=${seed} npm test repeats it.`);

let passed = 0;
// Tests that only root can run; for root every test has to run.
let skipped = 0;
const isRoot = process.getuid?.() === 0;
// Said again at the end, where people look first and where a log that was cut still shows it.
const failures = [];

function check(name, tool, ...args) {
  const { status } = spawnSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' });
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
  if (status === 0) passed++;
  else failures.push(name);
}

/** What the runner says of itself is counted; a run that leaves no report has failed. */
function runTests(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'jig-test-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const { status } = spawnSync(vitest, ['run', ...reporters, ...order, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  const failuresBefore = failures.length;
  try {
    for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) count(file);
  } catch {
    failures.push(`no report of ${args.join(' ')}`);
  }
  if (status !== 0 && failures.length === failuresBefore) failures.push(`${args.join(' ')}: exit code ${status}`);
  rmSync(folder, { recursive: true });
}

function count({ name, message, assertionResults }) {
  const file = relative(root, name);
  if (message) failures.push(`${file}\n    ${firstLine(message)}`);
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === 'passed') passed++;
    else if (status === 'failed') failures.push(`${file} › ${fullName}\n    ${firstLine(failureMessages[0] ?? '')}`);
    else if (isRoot) failures.push(`${file} › ${fullName}\n    was not run`);
    else skipped++;
  }
}

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n')[0];
}

if (filters.length === 0) {
  check('format and lint', 'biome', 'check', '--error-on-warnings', '.');
  check('lint with types', 'oxlint', '--type-aware');
  check('types', 'tsc', '-p', 'tsconfig.json');
}
// One kind after the other: a browser, a database and a load at the same time would only measure the machine.
for (const project of ['architecture', 'unit', 'http', 'security', 'browser', 'packages', 'faults']) {
  const mayBeEmpty = filters.length > 0 ? ['--passWithNoTests'] : [];
  // Unit tests mostly wait for servers to start and stop, which two can do at once even on two cores.
  const workers = project === 'unit' ? [`--maxWorkers=${Math.max(2, availableParallelism() - 1)}`] : [];
  runTests('--project', project, ...workers, ...mayBeEmpty, ...filters);
}
if (failures.length > 0) {
  console.log(`\n${failures.map((failure) => `✗ ${failure}`).join('\n')}`);
  console.log(`\nTEST_SEED=${seed} npm test runs the tests in this order again.`);
}
console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failures.length === 0 ? 0 : 1);
