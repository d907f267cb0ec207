// npm run check: format, lint, types and architecture.
import { ensureInstalled, runTool } from './prepare.mjs';

ensureInstalled();
runTool('biome', 'check', '--error-on-warnings', '.');
runTool('oxlint', '--type-aware');
runTool('tsc', '-p', 'tsconfig.json');
runTool('vitest', 'run', '--project', 'architecture');
