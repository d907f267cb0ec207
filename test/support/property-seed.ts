import { statSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach } from 'vitest';

// With the seed of a test run, property tests try the same values again.
const { TEST_SEED } = process.env;
if (TEST_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TEST_SEED) });

// A test before may have removed a socket, after which Node 20 and 22 follow no link to a module until they read another file;
// then a file that is imported now would load packages a second time.
const followLinks = () => void statSync('.');
followLinks();
beforeEach(followLinks);
