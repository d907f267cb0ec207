import { userInfo } from 'node:os';
import { DatabaseError } from '../../errors.ts';
import type { RunAs } from '../../supervisor/run-as.ts';
import type { Engine } from '../engine.ts';
import { checkSettingNames } from '../explanations.ts';
import { libraryEnvironment } from './library-links.ts';
import { PostgresqlServer } from './postgresql-server.ts';
import { findPrograms, type PostgresqlPrograms, platformPackage } from './programs.ts';
import { reachablePrograms } from './reachable-programs.ts';

/** The programs, or why there are none, in words that end a sentence. */
async function programsFor(user: RunAs | undefined): Promise<PostgresqlPrograms | string> {
  const programs = findPrograms();
  if (programs === undefined)
    return `the package ${platformPackage} with PostgreSQL for this platform is not installed`;
  if (user === undefined && !hasName())
    return 'PostgreSQL needs a user that has a name in /etc/passwd, and this one has none';
  const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
  return (await reachablePrograms(programs, user)) ?? `${who} cannot reach ${programs.postgres}`;
}

/** A container may run as a number that belongs to nobody; `initdb` refuses that. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** PostgreSQL from the npm package of this platform: nothing to install. */
export const postgresql: Engine = {
  name: 'postgresql',
  dialect: 'postgresql',
  folder: 'postgresql',

  async unavailable(user) {
    const programs = await programsFor(user);
    return typeof programs === 'string' ? programs : undefined;
  },

  async server(place) {
    checkSettingNames(place.settings);
    const programs = await programsFor(place.user);
    if (typeof programs === 'string')
      throw new DatabaseError(
        'JIG_DATABASE_SERVER_UNAVAILABLE',
        `PostgreSQL cannot be started: ${programs}. Install it, or choose another database.engine.`,
      );
    const environment = await libraryEnvironment(programs.native, place.librariesFolder);
    return new PostgresqlServer(programs, place, environment);
  },
};
