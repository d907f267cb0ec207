// Runs the conformance suite of the protocol over our handler with the suite's fixtures. By hand, since the suite needs Node 22:
//   npx --yes --package node@24 node test/mcp/conformance/run.mjs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const local = (name) => fileURLToPath(new URL(name, import.meta.url));

// What npx starts by itself would run on the Node of the machine.
const found = spawnSync('npx', ['--yes', '--package', suite, 'which', 'conformance'], { encoding: 'utf8' });
const program = found.stdout.trim();

const server = spawn(process.execPath, ['--import', 'tsx', local('serve-fixtures.ts'), '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [address] = await once(server.stdout.setEncoding('utf8'), 'data');
const failed = ['2026-07-28', '2025-11-25'].filter((revision) => {
  const expected = ['--requirements', revision, '--expected-failures', local('not-offered.yml')];
  const args = [program, 'server', '--url', `${address.trim()}/jig/mcp`, ...expected];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
});
server.kill();
if (failed.length > 0) console.error(`The suite found something else for ${failed.join(' and ')}.`);
process.exitCode = failed.length;
