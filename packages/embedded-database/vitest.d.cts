// Not compiled with the package, which is built where there is no vitest.
import type { LeasedDatabase } from './dist/cjs/vitest.js';

export * from './dist/cjs/vitest.js';
export { default } from './dist/cjs/vitest.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The main database of the run, or the one that all tests share with `isolation: 'run'`. */
    database: LeasedDatabase;
  }
}
