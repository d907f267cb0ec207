import { areas } from './areas.mjs';

/** The unit tests of the area that main.mjs names. Each run has a thread of its own, which its files share: they load quicker. */
export default {
  test: {
    include: [areas[process.env.MUTANTS_AREA].tests],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};
