// The same 25 tests four times, each time in another worker.
export default {
  test: {
    globalSetup: 'database-setup.mjs',
    maxWorkers: 4,
    projects: [1, 2, 3, 4].map((part) => ({ test: { name: `part ${part}`, include: ['hundred.test.mjs'] } })),
  },
};
