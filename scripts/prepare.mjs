import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is built, and what it is built by: only a change in there makes a build necessary. */
const sourceFolders = ['packages', 'service', 'examples', 'scripts'];
const unbuilt = new Set(['node_modules', 'dist', '.jig', 'test', 'test-fixtures']);
const isUnbuilt = (path) => /\.md$|\.test\.ts$/.test(path);

/** Runs a command with its output shown; ends this process when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`${command} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status || 1);
}

/** Runs a program of an installed package. */
export function runTool(tool, ...args) {
  run(join(root, 'node_modules', '.bin', tool), args);
}

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return unbuilt.has(entry.name) ? [] : sourcesBelow(path);
    return isUnbuilt(path) ? [] : [path];
  });
}

/** Changes when any source, or any setting of the build, changes; not with tests and documents. */
function stateOfSources() {
  const hash = createHash('sha256').update(process.version);
  const settings = readdirSync(root).filter((name) => /^(package-lock|tsconfig.*)\.json$/.test(name));
  for (const path of [...sourceFolders.flatMap(sourcesBelow), ...settings]) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The modules of a package that others load: `dist/add-on.js` is built from `src/add-on.ts`. */
export function entryPoints(folder) {
  const { name, exports, jig = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exported = Object.entries(exports).map(([path, target]) => [
    join(name, path),
    (target.import ?? target).default,
  ]);
  return [...exported, ...Object.entries(jig)].flatMap(([specifier, file]) => {
    const [, entry] = /^\.\/dist\/(.*)\.js$/.exec(file) ?? [];
    return entry === undefined ? [] : [{ specifier, entry, source: join(folder, 'src', `${entry}.ts`) }];
  });
}

/** The folders of all packages. */
export const packageFolders = () => readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

const stateOfLock = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const stamp = (name) => join(root, 'node_modules', '.jig', name);

function isUpToDate(name, state) {
  try {
    return readFileSync(stamp(name), 'utf8') === state;
  } catch {
    return false;
  }
}

function markUpToDate(name, state) {
  mkdirSync(join(root, 'node_modules', '.jig'), { recursive: true });
  writeFileSync(stamp(name), state);
}

function took(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}

/** The workspaces that `npm start` needs; tests, examples and the bench bring frameworks and tools that it does not. */
const workspacesOfService = () => [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'service'];

/** All but the one that brings Stryker, which only `npm run mutants` needs. */
function workspacesOfTests() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const workspaces = Object.values(packages).flatMap(({ link, resolved }) => (link ? [resolved] : []));
  return workspaces.filter((workspace) => workspace !== 'mutants');
}

/** What is installed and built, from the least to the most: what was done for one counts for those before it. */
const scopes = ['service', 'tests', 'everything'];

function isDone(name, scope, state) {
  return scopes.slice(scopes.indexOf(scope)).some((done) => isUpToDate(name, `${done} ${state}`));
}

/** Installs the packages of the lock file, unless they are installed: those of the service, of the tests, or of everything. */
export function ensureInstalled(scope = 'tests') {
  const state = stateOfLock();
  if (isDone('installed', scope, state)) return;
  console.log('Installing packages (about half a minute the first time) …');
  const start = Date.now();
  const workspaces = { service: workspacesOfService, tests: workspacesOfTests, everything: () => [] }[scope]();
  const filter = workspaces.map((workspace) => `--workspace=${workspace}`);
  if (!installPackages(root, ['--include-workspace-root', ...filter])) process.exit(1);
  markUpToDate('installed', `${scope} ${state}`);
  console.log(`Packages installed in ${took(start)}.`);
}

/** The projects that TypeScript compiles: the workspaces that have a tsconfig.build.json. */
function compiledProjects(scope) {
  const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}`);
  const workspaces = [...workspacesOfService(), ...(scope === 'service' ? [] : examples)];
  const projects = workspaces.map((workspace) => join(workspace, 'tsconfig.build.json'));
  return projects.filter((project) => existsSync(join(root, project)));
}

/** Compiles what has changed, bundles the packages, and lets each workspace build its assets if it has some. */
export function ensureBuilt(scope = 'tests') {
  if (isDone('built', scope, stateOfSources())) return;
  console.log('Building …');
  const start = Date.now();
  runTool('tsc', '-b', ...compiledProjects(scope));
  run(process.execPath, [join(root, 'scripts', 'bundle-packages.mjs')]);
  run('npm', ['run', '--workspaces', '--if-present', '--silent', 'build:assets']);
  markUpToDate('built', `${scope} ${stateOfSources()}`);
  console.log(`Built in ${took(start)}.`);
}

/** As `engines` in package.json says: ^20.19 || >=22.12. */
function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
}

export function prepare(scope = 'tests') {
  const { node } = process.versions;
  if (!isSupported(node)) {
    console.error(`Jig needs Node 20.19 or a later 20, or Node 22.12 or newer; this is Node ${node}.`);
    process.exit(1);
  }
  ensureInstalled(scope);
  ensureBuilt(scope);
}
