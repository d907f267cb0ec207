// npm run setup: installs the Debian packages that the tests need, which npm test does as well, and nothing else.
import { allPrograms, ensureDebianPackages } from './debian-packages.mjs';

ensureDebianPackages(allPrograms);
console.log(`This machine has all programs that the tests need: ${allPrograms.join(', ')}.`);
