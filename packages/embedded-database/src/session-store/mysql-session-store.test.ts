import { sessionStoreSuite } from '../../test-fixtures/session-store-suite.ts';
import { mariadb } from '../engines/mysql.ts';
import { mysqlPool } from '../pool/mysql-pool.ts';
import { MysqlSessionStore } from './mysql-session-store.ts';

sessionStoreSuite('sessions in MySQL or MariaDB', {
  engine: mariadb,
  lockTable: ['START TRANSACTION', 'SELECT id FROM jig_session FOR UPDATE', 'COMMIT'],
  takeLock: `SELECT GET_LOCK(CONCAT('jig-schema-', LEFT(SHA1(DATABASE()), 32)), 0)`,
  open: (connection, options) => {
    const pool = mysqlPool(connection, options);
    return {
      query: async (statement) => (await pool.query(statement))[0],
      store: () => new MysqlSessionStore(pool, options.queryTimeout),
      end: () => pool.end(),
    };
  },
});
