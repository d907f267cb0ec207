// npm run bench: installs and builds what is missing, then measures what was built, not the sources.
import { run } from './prepare.mjs';

// Standard output belongs to the results, so that with --json it holds nothing else.
run(process.execPath, ['scripts/build.mjs'], { stdio: ['inherit', 2, 'inherit'] });
run(process.execPath, ['--import', 'tsx', 'bench/src/main.ts', ...process.argv.slice(2)]);
