import { areas } from './areas.mjs';

/** The unit tests of the area that main.mjs names. */
export default {
  test: { include: [areas[process.env.MUTANTS_AREA].tests], testTimeout: 120_000, hookTimeout: 120_000 },
};
