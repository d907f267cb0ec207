import { databaseSetup } from './node-test.ts';

await databaseSetup();
