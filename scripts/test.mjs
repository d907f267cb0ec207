// npm test: everything that must hold for a change to land, with Node alone. npm run test:all: what needs more, or takes long.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { ensureInstalled, prepare, root } from './prepare.mjs';
import { debianPackages, ensurePrograms } from './programs.mjs';
import { kindOf, kinds } from './test-kinds.mjs';

const started = Date.now();
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const places = words.filter((word) => !word.startsWith('-'));
const isAll = options.includes('--all');
const isQuick = options.includes('--quick');
// Another order whenever a test changes, so that none comes to lean on the one before it; a failure can be seen again.
const tests = spawnSync('git', ['ls-files', '--stage', '*.test.ts'], { cwd: root }).stdout ?? '';
const seed = process.env.TEST_SEED ?? String(createHash('sha256').update(tests).digest().readUInt32BE() % 1_000_000);

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (options.some((option) => !['--all', '--quick'].includes(option)))
  refuse('npm test knows no options, but places; npx vitest run takes those of Vitest.');
if (!/^\d{1,15}$/.test(seed)) refuse('TEST_SEED must be a whole number, such as 42.');
await prepare();

// As the command of Vitest does; otherwise Vite chooses development, in which mounts announce themselves to each other.
process.env.NODE_ENV ??= 'test';
Object.assign(process.env, { TEST: 'true', VITEST: 'true', TEST_SEED: seed, ...(isQuick && { TEST_QUICK: '1' }) });
const { createVitest } = await import('vitest/node');
const vitest = await createVitest('test', { root, watch: false });

/** Whether the kind belongs to this run; places that are named are run whatever they need. */
const isWanted = (kind) => (isQuick ? kind.isQuick : isAll ? kind.isBeyond : places.length > 0 || !kind.isBeyond);
const found = (await vitest.globTestSpecifications(places)).map(({ moduleId }) => relative(root, moduleId));
const wanted = [...new Set(found)].filter((file) => isWanted(kindOf(file)));
if (wanted.length === 0) refuse(`There is no such test${places.length > 0 ? ` in ${places.join(' ')}` : ''}.`);
const wantedKinds = kinds.filter((kind) => wanted.some((file) => kindOf(file) === kind));

for (const folder of new Set(wantedKinds.flatMap(({ installs = [] }) => installs)))
  await ensureInstalled('tests', folder);
const missing = await ensurePrograms(wantedKinds.flatMap(({ needs = [] }) => needs));
const lackOf = ({ needs = [] }) => needs.filter((program) => missing.includes(program));
const files = wanted.filter((file) => lackOf(kindOf(file)).length === 0);

let passed = 0;
// Tests that only root can run; for root every test has to run.
let skipped = 0;
const isRoot = process.getuid?.() === 0;
// Said again at the end, where people look first and where a log that was cut still shows it.
const failures = wantedKinds
  .filter((kind) => lackOf(kind).length > 0)
  .map((kind) => `${kind.places.join(', ')} was not run, since this machine lacks ${lackOf(kind).join(', ')}`);
console.log(`The tests run in random order, that of the seed ${seed}; TEST_SEED=… npm test takes another.`);

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
  await vitest.start(files);
  const failuresBefore = failures.length;
  const modules = vitest.state.getTestModules();
  for (const module of modules) count(module);
  const run = new Set(modules.map(({ moduleId }) => relative(root, moduleId)));
  for (const file of files) if (!run.has(file)) failures.push(`${file} was not run`);
  await vitest.close();
  if (process.exitCode && failures.length === failuresBefore) failures.push('the tests failed as a whole: see above');
}

const firstLine = (text) => stripVTControlCharacters(text).trim().split('\n')[0];

function count(module) {
  const file = relative(root, module.moduleId);
  for (const { message } of module.errors()) failures.push(`${file}\n    ${firstLine(message)}`);
  for (const each of module.children.allTests()) {
    const { state, errors = [] } = each.result();
    const test = `${file} › ${each.fullName}`;
    if (state === 'passed') passed++;
    else if (state === 'failed') failures.push(`${test}\n    ${firstLine(errors[0]?.message ?? '')}`);
    else if (isRoot) failures.push(`${test}\n    was not run`);
    else skipped++;
  }
}

const ofAll = [['types of test/all', 'tsc', '--singleThreaded', '-p', 'test/all']];
const ofSources = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['lint with types', 'oxlint', '--type-aware'],
  ['types', 'tsc', '--singleThreaded', '-p', 'tsconfig.json'],
];
const checks = places.length > 0 || isQuick ? [] : isAll ? ofAll : ofSources;
await Promise.all([runTests(), ...checks.map((each) => check(...each))]);

if (failures.length > 0) {
  console.log(`\n${failures.map((failure) => `✗ ${failure}`).join('\n')}`);
  if (missing.length > 0) console.log(`\nOn Debian, as root: apt-get install ${debianPackages(missing).join(' ')}`);
  console.log(`\nTEST_SEED=${seed} npm test runs the tests in this order again.`);
}
if (skipped > 0) console.log(`\n${skipped} tests were not run, which only root can run.`);
if (!isAll && places.length === 0) {
  const beyond = kinds
    .filter((kind) => kind.isBeyond)
    .map(({ name, needs }) => (needs ? `${name} (${needs.join(', ')})` : name));
  console.log(`\nNot among them, but in npm run test:all: ${beyond.join('; ')}.`);
}
const seconds = Math.round((Date.now() - started) / 1000);
const { TEST_TOTALS } = process.env;
// .ci/run adds up the numbers of its runs, and writes the closing line for all of them.
if (TEST_TOTALS === undefined) console.log(`\nIn ${seconds} s:\n${passed} passed, ${failures.length} failed`);
else {
  console.log(`\nIn ${seconds} s, ${passed} passed and ${failures.length} failed.`);
  writeFileSync(TEST_TOTALS, `${passed} ${failures.length}\n`);
}
process.exit(failures.length === 0 ? 0 : 1);
