export default {
  test: {
    include: ['*.test.mjs'],
    globalSetup: 'database-setup.mjs',
    maxWorkers: 4,
    minWorkers: 4,
  },
};
