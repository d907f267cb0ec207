// npm test: everything that must hold, on a machine that has only Node and npm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureDebianPackages } from './debian-packages.mjs';
import { prepare, root } from './prepare.mjs';
import { kinds } from './test-kinds.mjs';
import { kindsOfTestsIn } from './tests-in.mjs';

const started = Date.now();
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const places = words.filter((word) => !word.startsWith('-'));
const isQuick = options.includes('--quick');
// Another order whenever a test changes, so that none comes to lean on the one before it; a failure can be seen again.
const seed = process.env.TEST_SEED ?? String(seedOfTests());

function seedOfTests() {
  const hash = createHash('sha256');
  const folders = ['packages', 'service', 'bench', 'scripts', 'test'].map((name) => join(root, name));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)));
  const tests = files.filter((file) => /\.test\.ts$/.test(file) && !file.includes('node_modules', root.length));
  for (const file of tests.sort((one, other) => (one < other ? -1 : 1))) hash.update(readFileSync(file));
  return hash.digest().readUInt32BE() % 1_000_000;
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (options.some((option) => option !== '--quick')) {
  refuse(`npm test knows only the option --quick; npx vitest run takes those of Vitest.`);
}
if (!/^\d{1,15}$/.test(seed)) refuse('TEST_SEED must be a whole number, such as 42.');
prepare();

const chosen = (places.length > 0 ? kindsOfTestsIn(places) : kinds).filter((kind) => !isQuick || kind.isQuick);
if (chosen.length === 0) {
  refuse(
    `There is no ${isQuick ? 'quick ' : ''}test in ${places.join(' ')}; name a file or a folder, such as packages/clock.`,
  );
}
ensureDebianPackages(chosen.flatMap(({ needs = [] }) => needs));
console.log(`The tests run in random order, that of the seed ${seed}; TEST_SEED=… npm test takes another.`);

let passed = 0;
// Tests that only root can run; for root every test has to run.
let skipped = 0;
const isRoot = process.getuid?.() === 0;
// Said again at the end, where people look first and where a log that was cut still shows it.
const failures = [];
const again = [];

const tool = (name) => join(root, 'node_modules', '.bin', name);

/** Runs beside the tests, so its output is shown at once when it has ended. */
async function check(name, program, ...args) {
  // In one thread, since the tests keep the others busy, and each thread of a type checker checks the same libraries again.
  const env = { ...process.env, GOMAXPROCS: '1', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) };
  const child = spawn(tool(program), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [status] = await once(child, 'close');
  console.log(status === 0 ? `✓ ${name}` : `${output}\n✗ ${name}`);
  if (status === 0) passed++;
  else failures.push(name);
}

/** What the runner says of itself is counted; a run that leaves no report has failed. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'jig-test-report-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  if (isQuick) args.push('--project', 'unit', '--project', 'quick');
  const child = spawn(tool('vitest'), [...args, ...places], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_SEED: seed, ...(isQuick ? { TEST_QUICK: '1' } : {}) },
  });
  const [status] = await once(child, 'close');
  const failuresBefore = failures.length;
  try {
    for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) count(file);
  } catch {
    failures.push('the tests left no report');
  }
  if (status !== 0 && failures.length === failuresBefore) failures.push(`the tests ended with exit code ${status}`);
  rmSync(folder, { recursive: true });
}

function count({ name, message, assertionResults }) {
  const file = relative(root, name);
  if (message) failures.push(`${file}\n    ${firstLine(message)}`);
  for (const { status, fullName, failureMessages } of assertionResults) {
    const [failure = ''] = failureMessages;
    const test = `${file} › ${fullName}`;
    if (status === 'passed') {
      passed++;
      // It failed at first: see `retry` in vitest.config.mjs. The runner does not print it.
      if (failureMessages.length > 0) again.push(`${test}\n${firstLines(failure)}`);
    } else if (status === 'failed') failures.push(`${test}\n    ${firstLine(failure)}`);
    else if (isRoot) failures.push(`${test}\n    was not run`);
    else skipped++;
  }
}

/** Of what went wrong, without the lines of other packages. */
function firstLines(text) {
  const lines = stripVTControlCharacters(text).trim().split('\n');
  const ours = lines.filter((line) => !/^ +at .*(?:node_modules|node:)/.test(line));
  return ours
    .slice(0, 60)
    .map((line) => `    ${line}`)
    .join('\n');
}

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n')[0];
}

const running = [runTests()];
if (places.length === 0) {
  running.push(check('format and lint', 'biome', 'check', '--error-on-warnings', '.'));
  running.push(check('lint with types', 'oxlint', '--type-aware'));
  running.push(check('types', 'tsc', '--singleThreaded', '-p', 'tsconfig.json'));
}
await Promise.all(running);
if (again.length > 0) {
  console.log(`\nFailed once, and passed when run again; look into why:\n${again.join('\n')}`);
}
if (failures.length > 0) {
  console.log(`\n${failures.map((failure) => `✗ ${failure}`).join('\n')}`);
  console.log(`\nTEST_SEED=${seed} npm test runs the tests in this order again.`);
}
console.log(`\nIn ${Math.round((Date.now() - started) / 1000)} s:`);
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failures.length === 0 ? 0 : 1);
