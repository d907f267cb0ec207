// npm run check: format, lint, types and architecture.
import { prepare, runTool } from './prepare.mjs';

prepare();
runTool('biome', 'check', '--error-on-warnings', '.');
runTool('oxlint', '--type-aware');
runTool('tsc', '-p', 'tsconfig.json');
runTool('vitest', 'run', 'test/architecture');
