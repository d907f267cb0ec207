/** The unit tests of the folder. They share a thread, since loading modules takes longer than the tests. */
export default {
  test: {
    include: [`${process.env.MUTANTS}/**/*.test.ts`],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};
