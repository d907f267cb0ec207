export * from './dist/cjs/add-on.js';
export { default } from './dist/cjs/add-on.js';
