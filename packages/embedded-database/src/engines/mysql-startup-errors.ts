import { diskFullSentence } from '../errors.ts';
import type { ServerSetup } from './engine.ts';
import type { StartupErrorPattern } from './startup-errors.ts';

/** What MariaDB and MySQL print when they cannot start, and the error to report. */
export function mysqlStartupErrors({ dataFolder, port }: ServerSetup): readonly StartupErrorPattern[] {
  return [
    {
      pattern: /(error while loading shared libraries: [^\n]+|failed to execute [^\n]+|[^\n]+: not found)/,
      code: 'JIG_DATABASE_SERVER_UNAVAILABLE',
      message: ([said]) =>
        `The database server does not run on this machine: ${said}. Install what is missing, or choose another database.engine.`,
    },
    {
      pattern:
        /No space left on device|out of disk space|[Dd]isk (?:is )?full|(?:errno:?|OS error(?: code)?:?|[Ee]rror number|with error) 28\b/,
      code: 'JIG_DATABASE_DISK_FULL',
      message: () => diskFullSentence(`database folder ${dataFolder}`),
    },
    {
      pattern: /Bind on TCP\/IP port|bind on TCP\/IP port/,
      code: 'JIG_DATABASE_PORT_TAKEN',
      message: () => `The port ${port} of database.port is taken. Choose another, or 0 for the socket only.`,
    },
    {
      pattern:
        /(?:unknown variable|ambiguous option) '(?:--)?([^'=]+)|unknown option '--([^']+)'|Error while setting value '[^']*' to '([^']+)'/,
      code: 'JIG_DATABASE_SETTING_REFUSED',
      message: ([said, ...names]) =>
        `The database server does not accept the setting "${names.find(Boolean)}" of database.serverSettings: ${said}. Correct or remove it.`,
    },
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
    {
      pattern: /[^\n]*(?:Permission denied|errno:? 13\b)/,
      code: 'JIG_DATABASE_FOLDER_UNUSABLE',
      message: ([said]) =>
        `The database server may not use its folder ${dataFolder}: ${said}. Give access to it, or choose another with JIG_HOME.`,
    },
  ];
}
