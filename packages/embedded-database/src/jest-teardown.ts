export { databaseTeardown as default } from './jest.ts';
