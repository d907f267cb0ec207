// npm run release: packs the packages, checks and uses the tarballs on each Node, and with --publish publishes them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, root } from '../prepare.mjs';

/** The lowest of each supported range, and the newest of each line. */
const supportedNodes = ['20.19.0', '20', '22.12.0', '22', '24', '26'];
const nodeBuild = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const { values } = parseArgs({
  options: { publish: { type: 'boolean', default: false }, nodes: { type: 'string', default: supportedNodes.join() } },
});
const tarballs = join(root, 'dist', 'release');
const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const output = (command, args) => execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Says what was checked; ends the release when something was found. */
function report(what, problems) {
  console.log([`${problems.length === 0 ? '✓' : '✗'} ${what}`, ...problems].join('\n  '));
  if (problems.length > 0) process.exit(1);
}

/** Runs a command whose output matters only when it fails. */
function attempt(what, command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  report(what, status === 0 ? [] : [`${stdout}${stderr}`]);
}

const { version } = read('.');
const packages = readdirSync(join(root, 'packages'))
  .map((name) => read(`packages/${name}`))
  .filter((manifest) => !manifest.private);
const names = new Set(packages.map(({ name }) => name));

const wrongVersions = [...packages, read('service')].flatMap((manifest) => [
  ...(manifest.version === version ? [] : [`${manifest.name} has version ${manifest.version}, not ${version}`]),
  ...Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter(([name, needed]) => names.has(name) && needed !== version)
    .map(([name, needed]) => `${manifest.name} needs ${name} ${needed}, not ${version}`),
]);

const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
/** The text of this version in the changelog. */
const notes = sections.find((each) => each.startsWith(`${version}\n`))?.slice(version.length) ?? '';

console.log(`Releasing ${version}${values.publish ? '' : ', dry: nothing is published'}.`);
await ensureInstalled('tests', 'scripts/release');
report('the tree is clean', output('git', ['status', '--porcelain']).split('\n').filter(Boolean));
report('all versions agree', wrongVersions);
report('the changelog has entries', /^- /m.test(notes) ? [] : [`CHANGELOG.md has none below "## ${version}"`]);
// npm attests only packages whose `repository` is where they were built.
const homeless = packages.filter(({ repository }) => !repository).map(({ name }) => `${name} has no repository`);
if (values.publish) report('npm would accept it', homeless);

rmSync(tarballs, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });
writeFileSync(join(tarballs, 'notes.md'), notes);
const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
const packed = Object.values(
  JSON.parse(output('npm', ['pack', '--json', '--pack-destination', tarballs, ...workspaces])),
);
const pathOf = ({ filename }) => join(tarballs, filename);

const program = (name) => join(root, 'scripts/release/node_modules/.bin', name);
for (const each of packed) {
  attempt(`${each.filename} passes publint`, program('publint'), ['run', pathOf(each), '--strict']);
  // Every supported Node lets CommonJS require an ES module, and node10 knows no exports.
  const ignored = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'];
  attempt(`${each.filename} passes arethetypeswrong`, program('attw'), [pathOf(each), ...ignored]);
}

const folder = mkdtempSync(join(tmpdir(), 'jig-release-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const install = (what, place, ...wanted) => {
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "name": "example", "private": true, "type": "module" }');
  attempt(what, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], { cwd: place });
};
const cwd = join(folder, 'application');
install('the tarballs install in an empty folder', cwd, ...packed.map(pathOf));
for (const node of values.nodes.split(',')) {
  const place = join(folder, `node-${node}`);
  install(`Node ${node} installs`, place, `${nodeBuild}@${node}`);
  const use = join(import.meta.dirname, 'use-packages.mjs');
  const env = { PATH: process.env.PATH, HOME: folder };
  const executable = join(place, 'node_modules', nodeBuild, 'bin/node');
  attempt(`each package can be used on Node ${node}`, executable, [use], { cwd, env });
}

for (const each of values.publish ? packed : []) {
  const name = `${each.name}@${version}`;
  // A release that stopped half-way continues there.
  if (spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' }).stdout.trim() === version) continue;
  attempt(`${name} is published`, 'npm', ['publish', pathOf(each), '--provenance', '--access', 'public']);
}
