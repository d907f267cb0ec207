// npm test: everything that must hold, on a machine that has only Node and npm.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian-packages.mjs';
import { prepare, root } from './prepare.mjs';

prepare();
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
let failed = 0;
// Tests that only root can run; for root every test has to run.
let skipped = 0;
const isRoot = process.getuid?.() === 0;

function check(name, tool, ...args) {
  const { status } = spawnSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' });
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
  if (status === 0) passed++;
  else failed++;
}

/** The counts come from the runner's own report; a run that leaves none has failed. */
function runTests(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'jig-test-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const { status } = spawnSync(vitest, ['run', ...reporters, ...order, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  try {
    const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    passed += numPassedTests;
    const left = numTotalTests - numPassedTests - numFailedTests;
    failed += isRoot ? numFailedTests + left : numFailedTests;
    skipped += isRoot ? 0 : left;
    if (status !== 0 && numFailedTests === 0) failed++;
  } catch {
    failed++;
  }
  rmSync(folder, { recursive: true });
}

const filters = process.argv.slice(2);
if (filters.length === 0) {
  check('format and lint', 'biome', 'check', '--error-on-warnings', '.');
  check('lint with types', 'oxlint', '--type-aware');
  check('types', 'tsc', '-p', 'tsconfig.json');
}
// One kind after the other: a browser, a database and a load at the same time would only measure the machine.
for (const project of ['architecture', 'unit', 'http', 'security', 'browser', 'packages', 'faults']) {
  const mayBeEmpty = filters.length > 0 ? ['--passWithNoTests'] : [];
  runTests('--project', project, ...mayBeEmpty, ...filters);
}
if (failed > 0) console.log(`\nTEST_SEED=${seed} npm test runs the tests in this order again.`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);
