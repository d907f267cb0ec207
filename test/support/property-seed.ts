import fc from 'fast-check';

// With the seed of a test run, property tests try the same values again.
const { TEST_SEED } = process.env;
if (TEST_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TEST_SEED) });
