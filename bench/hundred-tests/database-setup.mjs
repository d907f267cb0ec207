import { databaseSetup } from '@jig/embedded-database/vitest';

export default databaseSetup({ migrations: process.env.BENCH_MIGRATIONS });
