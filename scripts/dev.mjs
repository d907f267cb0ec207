// npm run dev: bundles a package again when one of its sources changes, and restarts the service.
import { spawn } from 'node:child_process';
import { prepare, root } from './prepare.mjs';

prepare('service');
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
const bundler = run('scripts/bundle-packages.mjs', '--watch');
const flags = ['--watch', '--watch-preserve-output', '--import', 'tsx'];
const service = run(...flags, 'service/src/main.ts', ...process.argv.slice(2));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
service.on('exit', (code) => {
  bundler.kill();
  process.exit(code ?? 1);
});
