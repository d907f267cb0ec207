// npm run dev: runs the service from its sources and starts it anew whenever one of them changes.
import { spawn } from 'node:child_process';
import { prepare, root } from './prepare.mjs';

prepare();
const flags = ['--watch', '--watch-preserve-output', '-C', 'source', '--import', 'tsx', 'service/src/main.ts'];
const service = spawn(process.execPath, [...flags, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
service.on('exit', (code) => process.exit(code ?? 1));
