import { databaseSetup } from '@jig/embedded-database/vitest';

export default databaseSetup({ migrations: new URL('migrations.sql', import.meta.url) });
