import { databaseSetup } from '@jig/embedded-database/vitest';

// Without options, '@jig/embedded-database/vitest' itself is the globalSetup.
export default databaseSetup({ migrations: new URL('../migrations', import.meta.url) });
