// npm run build: installs and builds what is missing, for the tests unless another scope is named.
import { prepare } from './prepare.mjs';

await prepare(process.argv[2]);
