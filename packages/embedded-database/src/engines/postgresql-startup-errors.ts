import { basename, join } from 'node:path';
import { type StartupErrorPattern, usualErrors } from './base-server.ts';
import type { ServerSetup } from './engine.ts';

/** What PostgreSQL prints when it cannot start, and the error to report. */
export function postgresqlStartupErrors(setup: ServerSetup): readonly StartupErrorPattern[] {
  const { dataFolder } = setup;
  const { usual, denied } = usualErrors(setup, {
    diskFull: /No space left on device|Disk quota exceeded|Check free disk space/,
    portTaken: /could not bind IPv4|could not create any TCP\/IP sockets/,
    setting:
      /unrecognized configuration parameter "([^"]+)"|invalid value for parameter "([^"]+)"|parameter "([^"]+)" (?:cannot|requires)/,
    denied: /could not [^\n]*: Permission denied/,
  });
  return [
    {
      pattern: /LOG: +([^\n]+)\n[^\n]*FATAL: +configuration file "([^"]+)" contains errors/,
      code: 'JIG_DATABASE_SETTING_REFUSED',
      message: ([, said = '', file = '']) =>
        badLine(join(dataFolder, basename(file)), said.replace(/ in file "[^"]+" line/, ' in line')),
    },
    {
      pattern:
        /LOG: +([^\n]+)\n[^\n]*CONTEXT: +(line \d+) of configuration file "([^"]+)"[\s\S]*FATAL: +could not load/,
      code: 'JIG_DATABASE_SETTING_REFUSED',
      message: ([, said, line, file = '']) => badLine(join(dataFolder, basename(file)), `${said} in ${line}`),
    },
    ...usual,
    {
      pattern: /lock file "[^"]*postmaster\.pid" already exists[\s\S]*?PID (\d+)/,
      code: 'JIG_DATABASE_FOLDER_HELD',
      message: ([, pid]) =>
        `The database folder ${dataFolder} is in use by a PostgreSQL that was not started here, the process ${pid}. Stop it first.`,
    },
    {
      pattern: /pre-existing shared memory block/,
      code: 'JIG_DATABASE_START_FAILED',
      message: () => `A part of the last PostgreSQL on ${dataFolder} still lives. Wait for its end, or end it.`,
      isTemporary: true,
    },
    {
      pattern: /initialized by PostgreSQL version (\S+?),? which is not compatible/,
      code: 'JIG_DATABASE_VERSION_DIFFERS',
      message: ([, version = 'another']) =>
        `The data in ${dataFolder} was written by PostgreSQL ${version}, which this version cannot read. The data is untouched; dump it with the old version and load it into the new one.`,
    },
    {
      pattern:
        /(?:PANIC|FATAL|LOG|postgres): +([^\n]*(?:checkpoint record|control file|database files are incompatible with server|could not (?:open|read|access)[^\n]*"(?:global|base|pg_\w+)|invalid page|is not a database cluster directory|could not find the database system)[^\n]*)|PANIC: +([^\n]+)/,
      code: 'JIG_DATABASE_DAMAGED',
      message: ([, known, panic]) =>
        `The data in ${dataFolder} is damaged (${known ?? panic}). It is untouched; restore the folder from a backup.`,
    },
    denied,
  ];
}

function badLine(file: string, said: string): string {
  return `The database server does not accept ${file}: ${said}. Correct or remove the line; the data is untouched.`;
}
