import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { pathOfPrograms } from './scripts/debian-packages.mjs';
import { memoryFolder } from './scripts/memory-folder.mjs';
import { kinds } from './scripts/test-kinds.mjs';
import { TestOrder } from './scripts/test-order.mjs';

// npm test names a seed: then files, and the tests in each, run in the order of that seed.
const { TEST_SEED, TEST_QUICK } = process.env;
const order = TEST_SEED === undefined ? {} : { shuffle: { files: true, tests: true }, seed: Number(TEST_SEED) };

const testsOf = ({ places }) => places.map((place) => (place.endsWith('/') ? `${place}**/*.test.ts` : place));

export default defineConfig({
  test: {
    // Packages use each other as they are built, in tests as everywhere.
    globalSetup: ['scripts/ensure-built.mjs', 'scripts/memory-folder.mjs'],
    // The order of files is chosen for both projects together, that of tests by each.
    sequence: { ...order, sequencer: TestOrder },
    // Only two, because Vitest starts new workers for each, and every worker loads the modules once more.
    projects: [true, false].map((isQuick) => ({
      test: {
        name: isQuick ? 'quick' : 'slow',
        include: kinds.filter((kind) => isQuick === (kind.isQuick ?? false)).flatMap(testsOf),
        // A test runs those of the examples as their users do.
        exclude: [
          '**/node_modules/**',
          'examples/*/test/**',
          ...(isQuick ? kinds.filter((kind) => !kind.isQuick).flatMap(testsOf) : []),
        ],
        // Nothing here depends on how fast a machine is, or how busy.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // Where other programs take part, a test that fails runs once more; npm test names it at the end.
        retry: isQuick ? 0 : 1,
        expect: { poll: { timeout: 30_000 } },
        // What was there instead is said in full, as far as one wants to read it: some failures come only once.
        chaiConfig: { truncateThreshold: 500 },
        // Loading modules for each file anew takes two thirds of the time; so a file must leave no state behind.
        isolate: false,
        env: { PATH: pathOfPrograms, ...(memoryFolder === undefined ? {} : { TMPDIR: memoryFolder }) },
        // Packages as they are built need no transformation.
        server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
        setupFiles: ['test/support/property-seed.ts'],
        sequence: order,
        // Most tests wait for a server, a browser or another process, so two more of them than there are cores still gain.
        // The quick ones compute, and every worker loads all modules once more.
        maxWorkers: availableParallelism() + (TEST_QUICK === undefined ? 2 : 1),
      },
    })),
  },
});
