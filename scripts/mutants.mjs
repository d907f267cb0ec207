// npm run mutants: installs and builds what is missing, also what no other command needs, then looks for mistakes that no test notices.
import { prepare, run } from './prepare.mjs';

prepare('everything');
run(process.execPath, ['mutants/main.mjs', ...process.argv.slice(2)]);
