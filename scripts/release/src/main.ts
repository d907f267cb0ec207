// npm run release: everything before a publication, and with --publish the publication itself.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { changelogProblems, releaseNotes } from './changelog.ts';
import { installProblems } from './install.ts';
import {
  addressProblems,
  type Manifest,
  manifestProblems,
  readManifest,
  releasedPackages,
  root,
  versionProblems,
} from './released-packages.ts';
import { type Packed, sizeProblems } from './size-budget.ts';
import { nodeBinary, nodePackage, supportedNodes } from './supported-nodes.ts';
import { tarballProblems } from './verify-tarball.ts';

const run = promisify(execFile);
const tarballFolder = join(root, 'dist', 'release');

/** A check that found something; its message is all that a person needs. */
class FailedCheck extends Error {
  constructor(what: string, problems: readonly string[]) {
    super([`✗ ${what}`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

/** Says what was checked; throws when it has found anything. */
function report(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new FailedCheck(what, problems);
  console.log(`✓ ${what}`);
}

function readFlags() {
  const publish = { type: 'boolean', default: false } as const;
  const nodes = { type: 'string', default: supportedNodes.join() } as const;
  try {
    return parseArgs({ options: { publish, nodes } }).values;
  } catch (error) {
    throw new FailedCheck('the flags are --publish and --nodes', [(error as Error).message]);
  }
}

function treeProblems(): readonly string[] {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  const files = changes.split('\n').filter(Boolean);
  return files.length === 0 ? [] : [`Commit or put away ${files.length} changed files: ${files.join(', ')}`];
}

function publicationProblems(version: string, packages: readonly Manifest[]): readonly string[] {
  const tag = spawnSync('git', ['tag', '--points-at', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout;
  return [
    ...addressProblems(packages),
    ...(tag.split('\n').includes(`v${version}`) ? [] : [`The commit does not have the tag v${version}.`]),
    ...(process.env.CI === undefined ? ['npm attests only what is published by a CI; see docs/releases.md.'] : []),
  ];
}

async function pack(): Promise<readonly Packed[]> {
  await rm(tarballFolder, { recursive: true, force: true });
  await mkdir(tarballFolder, { recursive: true });
  const workspaces = releasedPackages().flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', '--json', '--pack-destination', tarballFolder, ...workspaces];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 });
  return Object.values(JSON.parse(stdout) as Readonly<Record<string, Packed>>);
}

const pathOf = ({ filename }: Packed) => join(tarballFolder, filename);

/** Installs the tarballs in an empty folder, as a user would, and uses each package on each Node. */
async function tryOut(packed: readonly Packed[], nodes: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jig-release-'));
  try {
    const application = join(folder, 'application');
    await mkdir(application);
    await writeFile(join(application, 'package.json'), '{ "name": "example", "private": true, "type": "module" }');
    report('the tarballs install in an empty folder', await installProblems(application, packed.map(pathOf)));
    const script = fileURLToPath(new URL('use-packages.mjs', import.meta.url));
    for (const version of nodes) {
      const place = join(folder, `node-${version}`);
      report(`Node ${version} installs`, await installProblems(place, [nodePackage(version)]));
      const node = join(place, nodeBinary);
      const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
      const env = { PATH: process.env.PATH, HOME: folder };
      const result = spawnSync(node, [script], { cwd: application, env, encoding: 'utf8' });
      const { stdout, stderr, status } = result;
      report(`each package can be used on Node ${found}`, status === 0 ? [] : [`${stdout}${stderr}`]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isPublished({ name, version }: Packed): boolean {
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { cwd: root, encoding: 'utf8' });
  return stdout.trim() === version;
}

/** npm says itself why it refuses. */
function publish(tarball: Packed): readonly string[] {
  const args = ['publish', pathOf(tarball), '--provenance', '--access', 'public'];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  return status === 0 ? [] : ['npm publish failed. Run the release again: it skips what is published.'];
}

async function release(): Promise<void> {
  const flags = readFlags();
  const { version } = readManifest('.');
  const packages = releasedPackages();
  console.log(`Releasing ${version}${flags.publish ? '' : ', dry: nothing is published'}.`);

  report('the tree is clean', treeProblems());
  report('all versions agree', versionProblems(version, [...packages, readManifest('service'), readManifest('.')]));
  report('each package.json is complete', manifestProblems(packages));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  report('the changelog has entries', changelogProblems(version, changelog));
  if (flags.publish) report('npm would accept it', publicationProblems(version, packages));

  const packed = await pack();
  await writeFile(join(tarballFolder, 'notes.md'), `${releaseNotes(version, changelog)}\n`);
  for (const each of packed) {
    report(`${each.filename} passes publint and arethetypeswrong`, await tarballProblems(pathOf(each)));
  }
  report('each package is within its budget of size', sizeProblems(packed));
  await tryOut(packed, flags.nodes.split(','));
  report('the tree is as clean as before', treeProblems());

  console.log(flags.publish ? '\nPublishing:' : '\nWould publish, in this order:');
  for (const { name } of packages) {
    const tarball = packed.find((each) => each.name === name);
    if (tarball === undefined) throw new Error(`${name} was not packed.`);
    const kilobytes = Math.ceil(tarball.size / 1000);
    console.log(
      `  ${name} ${tarball.version}, ${tarball.entryCount} files, ${kilobytes} kB: ${relative(root, pathOf(tarball))}`,
    );
    if (!flags.publish) continue;
    if (isPublished(tarball)) console.log('  is on the registry already, and skipped');
    else report(`${name} is published`, publish(tarball));
  }
}

try {
  await release();
} catch (error) {
  console.error(error instanceof FailedCheck ? error.message : error);
  process.exitCode = 1;
}
