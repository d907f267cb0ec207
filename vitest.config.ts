import { defineConfig } from 'vitest/config';

/** Packages use each other as they are built, in tests as everywhere. */
const built = { globalSetup: 'scripts/ensure-built.mjs' };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...built,
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
      { test: { ...built, name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      {
        test: { ...built, name: 'http', include: ['test/http/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
      },
      {
        test: {
          ...built,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { ...built, name: 'packages', include: ['test/packages/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          ...built,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
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
