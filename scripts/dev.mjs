// npm run dev: bundles a package again when one of its sources changes, and restarts the service.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare('service');
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
const bundler = run('scripts/bundle.mjs', '--watch');
// node --watch does not see a file any more that an editor has saved by renaming another to it.
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
const service = run(tsx, 'watch', '--clear-screen=false', 'service/src/main.ts', ...process.argv.slice(2));
process.on('SIGINT', () => service.kill('SIGINT'));
// tsx passes no others on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill('SIGTERM'));
service.on('exit', (code) => {
  bundler.kill();
  process.exit(code ?? 1);
});
