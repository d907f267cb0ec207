/**
 * The code whose tests are put to the test, by area: what is changed in small ways, and the unit tests that have to notice.
 * `files` are those of the folder that count, all of them by default.
 * `tests` are the quick ones, and `sample` is the share of the code that one run looks at, since a run starts the tests anew for each change.
 */
export const areas = {
  walk: {
    folder: 'packages/inspect/src/walk',
    tests: 'packages/inspect/src/walk/*.test.ts',
    sample: 0.2,
  },
  masking: {
    folder: 'packages/inspect/src/masking',
    tests: 'packages/inspect/src/masking/{masking,secret-*,secrets}.test.ts',
    sample: 0.3,
  },
  access: {
    folder: 'packages/bean-inspection/src',
    files: ['access.ts'],
    tests: 'packages/bean-inspection/src/**/*.test.ts',
    sample: 1,
  },
  requests: {
    folder: 'packages/http/src',
    files: ['requests.ts'],
    tests: 'packages/http/src/requests.test.ts',
    sample: 1,
  },
  sessions: {
    folder: 'packages/sessions/src',
    files: ['attributes.ts', 'session.ts'],
    tests: 'packages/sessions/src/{attributes,memory-session-store,session-plugin}.test.ts',
    sample: 0.5,
  },
};
