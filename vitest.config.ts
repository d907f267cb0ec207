import { defineConfig } from 'vitest/config';

const shared = {
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node', 'module-sync'] } },
};

/** For tests of what is built. */
const built = { globalSetup: 'scripts/ensure-built.mjs' };

export default defineConfig({
  ...shared,
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'service/src/**/*.test.ts',
            'examples/*/src/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      { ...shared, test: { ...built, name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      {
        ...shared,
        test: { ...built, name: 'http', include: ['test/http/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
      },
      {
        ...shared,
        test: {
          ...built,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { ...shared, test: { ...built, name: 'packages', include: ['test/packages/**/*.test.ts'], testTimeout: 60_000 } },
      {
        ...shared,
        test: {
          ...built,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          ...built,
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
