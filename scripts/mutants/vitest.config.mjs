/** The unit tests of the area that stryker.config.mjs names. They share a thread, since loading modules takes longer than the tests. */
export default {
  test: { include: [process.env.MUTANTS_TESTS], isolate: false, testTimeout: 120_000, hookTimeout: 120_000 },
};
