/** Names the process of the test run to its workers. */
export const runVariable = 'JIG_DATABASE_RUN';
