import { type StartupErrorPattern, usualErrors } from './base-server.ts';
import type { ServerSetup } from './engine.ts';

/** What MariaDB and MySQL print when they cannot start, and the error to report. */
export function mysqlStartupErrors(setup: ServerSetup): readonly StartupErrorPattern[] {
  const { dataFolder } = setup;
  const { usual, denied } = usualErrors(setup, {
    diskFull:
      /No space left on device|out of disk space|[Dd]isk (?:is )?full|(?:errno:?|OS error(?: code)?:?|[Ee]rror number|with error) 28\b/,
    portTaken: /Bind on TCP\/IP port|bind on TCP\/IP port/,
    setting:
      /(?:unknown variable|ambiguous option) '(?:--)?([^'=]+)|unknown option '--([^']+)'|Error while setting value '[^']*' to '([^']+)'/,
    denied: /[^\n]*(?:Permission denied|errno:? 13\b)/,
  });
  return [
    ...usual,
    {
      pattern: /Unable to lock \.\/\S+|Can't lock aria|another mysqld process/,
      code: 'JIG_DATABASE_FOLDER_HELD',
      message: () =>
        `The database folder ${dataFolder} is in use by a server that was not started here. Stop it first.`,
    },
    {
      pattern: /Unsupported redo log format|[Dd]owngrade|Invalid MySQL server upgrade/,
      code: 'JIG_DATABASE_VERSION_DIFFERS',
      message: ([said]) =>
        `The data in ${dataFolder} was written by another version of the server (${said}). The data is untouched; dump it with the old version and load it into the new one.`,
    },
    {
      pattern:
        /((?:[^\n]*corrupt|Plugin 'InnoDB' (?:init|registration)|Unknown\/unsupported storage engine|[^\n]*privilege tables|Cannot open[^\n]*ib)[^\n]*)/i,
      code: 'JIG_DATABASE_DAMAGED',
      message: ([, said]) =>
        `The data in ${dataFolder} is damaged (${said?.trim()}). It is untouched; restore the folder from a backup.`,
    },
    denied,
  ];
}
