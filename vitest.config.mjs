import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { projects } from './scripts/test-projects.mjs';

// npm test names a seed: then files, and the tests in each, run in the order of that seed.
const { TEST_SEED } = process.env;
const order = TEST_SEED === undefined ? {} : { shuffle: { files: true, tests: true }, seed: Number(TEST_SEED) };
// Most tests wait for a server, a browser or another process, so one more of them than there are cores still gains.
const together = { maxWorkers: availableParallelism() + 1, sequence: { ...order, groupOrder: 0 } };
const alone = { maxWorkers: 2, sequence: { ...order, groupOrder: 1 } };

export default defineConfig({
  test: {
    // Packages use each other as they are built, in tests as everywhere.
    globalSetup: 'scripts/ensure-built.mjs',
    projects: projects.map(({ name, include, exclude = [], isQuick = false, isShared = false, isAlone = false }) => ({
      test: {
        name,
        include: [include].flat(),
        exclude: ['**/node_modules/**', exclude].flat(),
        // Nothing here depends on how fast a machine is, or how busy.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // Where other programs take part, a test that fails runs once more; npm test names it at the end.
        retry: isQuick ? 0 : 1,
        expect: { poll: { timeout: 30_000 } },
        isolate: !isShared,
        setupFiles: isShared ? ['test/support/property-seed.ts'] : [],
        ...(isAlone ? alone : together),
      },
    })),
  },
});
