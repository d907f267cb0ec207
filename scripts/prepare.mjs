// Installs and builds what is missing, so that `npm start` and `npm test` work in a fresh clone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is built, and what it is built by: only a change in there makes a build necessary. */
const sourceFolders = ['packages', 'service', 'examples', 'scripts'].filter((name) => existsSync(join(root, name)));
const unbuilt = new Set(['node_modules', 'dist', '.jig', 'test', 'test-fixtures', 'release']);

/** Runs a command with its output shown, and a line every ten seconds; ends this process when it fails. */
export async function run(command, args, { doing = command, ...options } = {}) {
  const start = Date.now();
  const say = () => console.log(`  ${doing}: ${Math.round((Date.now() - start) / 1000)} s so far`);
  const timer = setInterval(say, 10_000);
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const status = await new Promise((resolve) => {
    child.on('close', resolve);
    child.on('error', ({ message }) => resolve(console.error(`${command} could not be run: ${message}`)));
  });
  clearInterval(timer);
  if (status !== 0) process.exit(status || 1);
}

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return unbuilt.has(entry.name) ? [] : sourcesBelow(path);
    return /\.md$|\.test\.ts$/.test(path) ? [] : [path];
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
    target.require?.default,
  ]);
  return [...exported, ...Object.entries(jig)].flatMap(([specifier, file, required]) => {
    const [, entry] = /^\.\/dist\/(.*)\.js$/.exec(file) ?? [];
    const isCommonJs = required === `./dist/cjs/${entry}.js`;
    return entry === undefined ? [] : [{ specifier, entry, source: join(folder, 'src', `${entry}.ts`), isCommonJs }];
  });
}

/** The folders of all packages. */
export const packageFolders = () => readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

/** What is installed and built: what was done for the tests counts for the service too. */
const scopes = ['service', 'tests'];

/** Does some work for a scope, unless it was done for this scope, or for more, in this state. */
async function runIfStale(stamp, scope, state, doing, work) {
  const [done, doneIn] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  if (scopes.indexOf(done) >= scopes.indexOf(scope) && doneIn === state()) return;
  console.log(`${doing} …`);
  const start = Date.now();
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${scope} ${state()}`);
  console.log(`Done in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
}

/** The workspaces that `npm start` needs; tests, examples and the bench bring frameworks and tools that it does not. */
const workspacesOfService = () => [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'service'];

/** Installs the packages of the lock file in a folder, unless they are installed: in the root those of a scope. */
export async function ensureInstalled(scope = 'tests', folder = '.') {
  const place = join(root, folder);
  const state = () =>
    createHash('sha256')
      .update(readFileSync(join(place, 'package-lock.json')))
      .digest('hex');
  const filter = scope === 'service' ? workspacesOfService().map((workspace) => `--workspace=${workspace}`) : [];
  // In a folder of its own, npm ci refuses a registry that lacks optional packages of other systems.
  const command = folder === '.' ? ['ci'] : ['install', '--no-save'];
  const args = [...command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const doing = folder === '.' ? 'Installing packages' : `Installing the packages of ${folder}`;
  const stamp = join(place, 'node_modules', '.jig', 'installed');
  await runIfStale(stamp, scope, state, `${doing} (about half a minute the first time)`, () =>
    run('npm', [...args, ...(filter.length > 0 ? ['--include-workspace-root', ...filter] : [])], { cwd: place, doing }),
  );
}

/** The projects that TypeScript compiles: the workspaces that have a tsconfig.build.json. */
function compiledProjects(scope) {
  const examples = scope === 'service' ? [] : readdirSync(join(root, 'examples')).map((name) => `examples/${name}`);
  const projects = [...workspacesOfService(), ...examples].map((workspace) => join(workspace, 'tsconfig.build.json'));
  return projects.filter((project) => existsSync(join(root, project)));
}

/** Compiles the private package, and renews the copies of its declarations: packages that are compiled next may see them in others. */
async function compilePrivatePackage(tsc) {
  await run(tsc, ['-b', 'packages/http/tsconfig.build.json']);
  const dist = join(root, 'packages', 'http', 'dist');
  const copies = packageFolders().map((folder) => join(folder, 'dist', 'jig-http'));
  const filter = (path) => path === dist || path.endsWith('.d.ts');
  for (const copy of copies.filter(existsSync)) cpSync(dist, copy, { recursive: true, filter });
}

/** Compiles what has changed, bundles the packages, and lets each workspace build sources before that, and assets after it, if it has some. */
export async function ensureBuilt(scope = 'tests') {
  const stamp = join(root, 'node_modules', '.jig', 'built');
  await runIfStale(stamp, scope, stateOfSources, 'Building', async () => {
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    await compilePrivatePackage(tsc);
    await run(tsc, ['-b', ...compiledProjects(scope)]);
    const runInWorkspaces = (script) => run('npm', ['run', '--workspaces', '--if-present', '--silent', script]);
    await runInWorkspaces('build:sources');
    await run(process.execPath, [join(root, 'scripts', 'bundle.mjs')]);
    await runInWorkspaces('build:assets');
  });
}

/** Set-up of the tests that run what is built: so that they never judge an older build than the sources beside it. */
export default () => ensureBuilt();

export async function prepare(scope = 'tests') {
  const [major, minor] = process.versions.node.split('.').map(Number);
  // As `engines` in package.json says: ^20.19 || >=22.12.
  if (!(major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22)) {
    console.error(`Jig needs Node 20.19 or a later 20, or Node 22.12 or newer; this is Node ${process.versions.node}.`);
    process.exit(1);
  }
  await ensureInstalled(scope);
  await ensureBuilt(scope);
}
