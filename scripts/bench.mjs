// npm run bench: installs and builds what is missing, then measures the built packages.
import { run } from './prepare.mjs';

// Standard output is only for the results, so that --json prints nothing else.
run(process.execPath, ['scripts/build.mjs'], { stdio: ['inherit', 2, 'inherit'] });
run(process.execPath, ['--import', 'tsx', 'bench/src/main.ts', ...process.argv.slice(2)]);
