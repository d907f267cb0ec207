import { databaseError } from '../../errors.ts';
import type { Engine } from '../engine.ts';
import { checkSettingNames } from '../explanations.ts';
import { canRun } from '../program.ts';
import { libraryEnvironment } from './library-links.ts';
import { PostgresqlServer } from './postgresql-server.ts';
import { findPrograms, platformPackage } from './programs.ts';

/** PostgreSQL from the npm package of this platform: nothing to install. */
export const postgresql: Engine = {
  name: 'postgresql',
  folder: 'postgresql',

  async unavailable(user) {
    const programs = findPrograms();
    if (programs === undefined)
      return `the package ${platformPackage} with PostgreSQL for this platform is not installed`;
    if (await canRun(programs.postgres, user)) return undefined;
    const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
    return `${who} cannot reach ${programs.postgres}`;
  },

  async server(place) {
    checkSettingNames(place.settings);
    const programs = findPrograms();
    if (programs === undefined)
      throw databaseError(
        'JIG_DATABASE_SERVER_UNAVAILABLE',
        `The package ${platformPackage} with PostgreSQL is not installed.`,
      );
    const environment = await libraryEnvironment(programs.native, place.librariesFolder);
    return new PostgresqlServer(programs, place, environment);
  },
};
