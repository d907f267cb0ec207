import { DatabaseError } from '../../errors.ts';
import type { Engine } from '../engine.ts';
import { checkSettingNames } from '../explanations.ts';
import { canRun, findProgram, versionOf } from '../program.ts';
import { flavourOf } from './flavour.ts';
import { MysqlServer } from './mysql-server.ts';

const servers = ['mariadbd', 'mysqld'];
const installers = ['mariadb-install-db', 'mysql_install_db'];
const missing = `neither ${servers.join(' nor ')} is on the PATH`;

/** MySQL or MariaDB, whichever is installed on this machine. */
export const mysql: Engine = {
  name: 'mysql',
  dialect: 'mysql',
  folder: 'mysql',

  async unavailable(user) {
    const server = await findProgram(servers);
    if (server === undefined) return missing;
    return (await canRun(server, user)) ? undefined : `the user that runs the server cannot reach ${server}`;
  },

  async server(place) {
    checkSettingNames(place.settings);
    const server = await findProgram(servers);
    if (server === undefined)
      throw new DatabaseError(
        'JIG_DATABASE_SERVER_UNAVAILABLE',
        `MySQL or MariaDB cannot be started: ${missing}. Install it, or choose another database.engine.`,
      );
    const flavour = flavourOf(await versionOf(server, place.user));
    return new MysqlServer({ server, installer: await findProgram(installers) }, place, flavour);
  },
};
