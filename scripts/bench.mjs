// npm run bench: installs and builds what is missing, then measures the built packages.
import { dirname } from 'node:path';
import { memoryFolder } from './memory-folder.mjs';
import { run } from './prepare.mjs';

// Standard output is only for the results, so that --json prints nothing else.
run(process.execPath, ['scripts/build.mjs'], { stdio: ['inherit', 2, 'inherit'] });
const memory = memoryFolder === undefined ? {} : { BENCH_MEMORY: dirname(memoryFolder) };
run(process.execPath, ['--import', 'tsx', 'bench/src/main.ts', ...process.argv.slice(2)], {
  env: { ...process.env, ...memory },
});
