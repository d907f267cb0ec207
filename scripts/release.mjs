// npm run release: installs and builds what is missing, then checks, packs and verifies the packages; -- --publish publishes them.
import { prepare, run } from './prepare.mjs';

prepare();
run(process.execPath, ['--import', 'tsx', 'release/src/main.ts', ...process.argv.slice(2)]);
