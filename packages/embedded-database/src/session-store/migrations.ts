import { DatabaseError } from '../errors.ts';

/** What migrating needs of a database; all of it on one connection. */
export interface MigrationClient {
  /** Gives the version of the schema, 0 when there is none. */
  version(): Promise<number>;
  /** Runs the work while no other instance migrates. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Runs the statements of one step and notes its version. */
  apply(statements: readonly string[], version: number): Promise<void>;
}

/** How long to wait while another instance migrates, in milliseconds, where nothing else is said. */
export const migrationTimeout = 30_000;

/** Brings the schema up to date; each list of statements leads from one version to the next. */
export async function migrate(client: MigrationClient, steps: readonly (readonly string[])[]): Promise<void> {
  if ((await checkedVersion(client, steps.length)) === steps.length) return;
  await client.exclusively(async () => {
    // Another instance may have done it while we waited.
    const current = await checkedVersion(client, steps.length);
    for (const [index, statements] of steps.entries()) if (index >= current) await client.apply(statements, index + 1);
  });
}

async function checkedVersion(client: MigrationClient, newest: number): Promise<number> {
  const version = await client.version();
  if (version <= newest) return version;
  throw new DatabaseError(
    'JIG_DATABASE_SCHEMA_NEWER',
    `The session tables have version ${version}, but this application knows versions up to ${newest}. Update it.`,
    { fields: { version, newest } },
  );
}

export function schemaHeld(timeout: number, cause?: unknown): Error {
  return new DatabaseError(
    'JIG_DATABASE_SCHEMA_HELD',
    `Another instance has been changing the session tables for more than ${timeout / 1000} s. Look what keeps it, and start again.`,
    { cause, fields: { timeout } },
  );
}
