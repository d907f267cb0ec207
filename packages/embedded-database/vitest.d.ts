// Not compiled with the package, which is built where there is no vitest.
import type { LeasedDatabase } from './dist/vitest.js';

export * from './dist/vitest.js';
export { default } from './dist/vitest.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The main database of the run, or the one that all tests share with `isolation: 'run'`. */
    database: LeasedDatabase;
  }
}
