// Set-up of the tests that run what is built: so that they never judge an older build than the sources beside it.
import { ensureBuilt } from './prepare.mjs';

export default () => ensureBuilt();
