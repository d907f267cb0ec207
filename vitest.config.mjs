import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { memoryFolder } from './scripts/memory-folder.mjs';
import { entryPoints, packageFolders, root } from './scripts/prepare.mjs';
import { pathOfPrograms } from './scripts/programs.mjs';
import { kindOf, kinds } from './scripts/test-kinds.mjs';

// npm test names a seed: then files, and the tests in each, run in the order of that seed.
const { TEST_SEED, TEST_QUICK } = process.env;
const order = TEST_SEED === undefined ? {} : { shuffle: { files: true, tests: true }, seed: Number(TEST_SEED) };

/** Packages as they are written: `@jig/clock` is `packages/clock/src/index.ts`. */
const sources = packageFolders()
  .flatMap(entryPoints)
  .map(({ specifier, source }) => ({ find: new RegExp(`^${specifier}$`), replacement: source }));

/** They say where modules are, which Vitest remembers with what it has transformed. */
const manifests = createHash('sha256');
for (const folder of packageFolders()) manifests.update(readFileSync(join(folder, 'package.json')));

/** Each kind belongs to one. They have as many workers as each other, since Vitest refuses to run them otherwise. */
const projects = [
  { name: 'unit', has: (kind) => kind.isOnSources },
  { name: 'built', has: (kind) => !kind.isOnSources },
];

/** A path belongs to the first kind that names it. */
const othersBefore = (has) => kinds.slice(0, kinds.findLastIndex(has)).filter((kind) => !has(kind));

const testsOf = ({ places }) => places.map((place) => (place.endsWith('/') ? `${place}**/*.test.ts` : place));

/**
 * Files run in random order, that of the seed, but long ones first, and those on sources together: Vitest starts other workers for another
 * project. Otherwise kinds that compute are mixed with kinds that wait, so that the cores always have something to do.
 */
class TestOrder extends BaseSequencer {
  async sort(files) {
    const placeOf = ({ moduleId }) => {
      const path = relative(root, moduleId);
      const { isLong, isOnSources } = kindOf(path);
      const hash = createHash('sha256').update(`${this.ctx.config.sequence.seed} ${path}`).digest('hex');
      return `${isOnSources ? 3 : isLong ? 1 : 2} ${hash}`;
    };
    return [...files].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    globalSetup: 'scripts/memory-folder.mjs',
    // What has not changed is not transformed again: half of the time of a single file.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: join(root, 'node_modules', '.experimental-vitest-cache', manifests.digest('hex').slice(0, 8)),
    },
    // The order of files is chosen for all projects together, that of tests by each.
    sequence: { ...order, sequencer: TestOrder },
    // Few, because Vitest starts new workers for each, and every worker loads the modules once more.
    projects: projects.map(({ name, has }) => ({
      resolve: { alias: name === 'unit' ? sources : [] },
      test: {
        name,
        // All others use packages as they are built.
        globalSetup: name === 'unit' ? [] : 'scripts/prepare.mjs',
        include: kinds.filter(has).flatMap(testsOf),
        // A test runs those of the examples as their users do.
        exclude: ['**/node_modules/**', 'examples/*/test/**', ...othersBefore(has).flatMap(testsOf)],
        // Only what hangs takes as long, however slow or busy a machine is.
        testTimeout: 600_000,
        hookTimeout: 600_000,
        expect: { poll: { timeout: 120_000 } },
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
