// npm test: everything that must hold, on a machine that has only Node and npm.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { ensureDebianPackages } from './debian-packages.mjs';
import { prepare, root } from './prepare.mjs';
import { kindOf } from './test-kinds.mjs';

const started = Date.now();
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const places = words.filter((word) => !word.startsWith('-'));
const isQuick = options.includes('--quick');
// Another order whenever a test changes, so that none comes to lean on the one before it; a failure can be seen again.
const tests = spawnSync('git', ['ls-files', '--stage', '*.test.ts'], { cwd: root }).stdout ?? '';
const seed = process.env.TEST_SEED ?? String(createHash('sha256').update(tests).digest().readUInt32BE() % 1_000_000);

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (options.some((option) => option !== '--quick'))
  refuse('npm test knows only the option --quick; npx vitest run takes those of Vitest.');
if (!/^\d{1,15}$/.test(seed)) refuse('TEST_SEED must be a whole number, such as 42.');
prepare();

// As the command of Vitest does; otherwise Vite chooses development, in which mounts announce themselves to each other.
process.env.NODE_ENV ??= 'test';
Object.assign(process.env, { TEST: 'true', VITEST: 'true', TEST_SEED: seed, ...(isQuick && { TEST_QUICK: '1' }) });
const { createVitest } = await import('vitest/node');
const vitest = await createVitest('test', { root, watch: false, ...(isQuick && { project: ['unit', 'quick'] }) });
const found = await vitest.globTestSpecifications(places);
if (found.length === 0) refuse(`There is no ${isQuick ? 'quick ' : ''}test in ${places.join(' ')}.`);
ensureDebianPackages(found.flatMap(({ moduleId }) => kindOf(relative(root, moduleId)).needs ?? []));
console.log(`The tests run in random order, that of the seed ${seed}; TEST_SEED=… npm test takes another.`);

let passed = 0;
// Tests that only root can run; for root every test has to run.
let skipped = 0;
const isRoot = process.getuid?.() === 0;
// Said again at the end, where people look first and where a log that was cut still shows it.
const failures = [];
const again = [];

/** Runs beside the tests, so its output is shown at once when it has ended. */
async function check(name, program, ...args) {
  // In one thread, since the tests keep the others busy, and each thread of a type checker checks the same libraries again.
  const env = { ...process.env, GOMAXPROCS: '1', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) };
  try {
    const file = join(root, 'node_modules', '.bin', program);
    await promisify(execFile)(file, args, { cwd: root, env, maxBuffer: 2 ** 27 });
    console.log(`✓ ${name}`);
    passed++;
  } catch ({ stdout, stderr }) {
    console.log(`${stdout}${stderr}\n✗ ${name}`);
    failures.push(name);
  }
}

async function runTests() {
  await vitest.start(places);
  const failuresBefore = failures.length;
  for (const module of vitest.state.getTestModules()) count(module);
  await vitest.close();
  if (process.exitCode && failures.length === failuresBefore) failures.push('the tests failed as a whole: see above');
}

function count(module) {
  const file = relative(root, module.moduleId);
  for (const { message } of module.errors()) failures.push(`${file}\n    ${firstLine(message)}`);
  for (const each of module.children.allTests()) {
    const { state, errors = [] } = each.result();
    const test = `${file} › ${each.fullName}`;
    if (state === 'passed') {
      passed++;
      // It failed at first: see `retry` in vitest.config.mjs. The runner does not print it.
      if (errors.length > 0) again.push(`${test}\n${firstLines(errors[0].stack)}`);
    } else if (state === 'failed') failures.push(`${test}\n    ${firstLine(errors[0]?.message ?? '')}`);
    else if (isRoot) failures.push(`${test}\n    was not run`);
    else skipped++;
  }
}

const linesOf = (text) => stripVTControlCharacters(text).trim().split('\n');
const firstLine = (text) => linesOf(text)[0];

/** Of what went wrong, without the lines of other packages. */
function firstLines(text) {
  const ours = linesOf(text).filter((line) => !/^ +at .*(?:node_modules|node:)/.test(line));
  return ours.slice(0, 60).join('\n').replace(/^/gm, '    ');
}

const checks = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['lint with types', 'oxlint', '--type-aware'],
  ['types', 'tsc', '--singleThreaded', '-p', 'tsconfig.json'],
];
await Promise.all([runTests(), ...(places.length === 0 ? checks.map((each) => check(...each)) : [])]);
if (again.length > 0) console.log(`\nFailed once, and passed when run again; look into why:\n${again.join('\n')}`);
if (failures.length > 0) {
  console.log(`\n${failures.map((failure) => `✗ ${failure}`).join('\n')}`);
  console.log(`\nTEST_SEED=${seed} npm test runs the tests in this order again.`);
}
console.log(`\nIn ${Math.round((Date.now() - started) / 1000)} s:`);
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failures.length === 0 ? 0 : 1);
