import { createPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import type { ConnectionOptions, PoolOptions } from '../connection/connection-options.ts';
import { mysqlConfig, statementLimit } from '../connection/mysql-client.ts';
import { translateErrors, unchanged } from './translate-errors.ts';

const asked = ['query', 'execute'] as const;

export function mysqlPool(connection: ConnectionOptions, options: PoolOptions, translate = unchanged): Pool {
  const { size, queryTimeout } = options;
  const core = createPool({ ...mysqlConfig(connection, options), connectionLimit: size, maxIdle: size });
  // The server cancels the query a little earlier than we do, so that it does not go on with it. Errors of servers without this setting are ignored.
  core.on('connection', (client) => client.query(statementLimit(queryTimeout * 0.9), () => {}));
  const pool = core.promise();
  const connect = pool.getConnection.bind(pool);
  pool.getConnection = async () =>
    translateErrors(
      limitTime(await connect(), queryTimeout),
      [...asked, 'beginTransaction', 'commit', 'rollback'],
      translate,
    );
  return translateErrors(limitTime(pool, queryTimeout), ['getConnection', ...asked], translate);
}

/** Sets the default time-out of queries. */
function limitTime<Target extends Record<(typeof asked)[number], unknown>>(target: Target, timeout: number): Target {
  if (timeout === 0) return target;
  for (const name of asked) {
    const original = target[name] as (statement: object, ...values: unknown[]) => unknown;
    const limited = (statement: string | object, ...values: unknown[]) =>
      original.call(
        target,
        { timeout, ...(typeof statement === 'string' ? { sql: statement } : statement) },
        ...values,
      );
    Object.defineProperty(target, name, { value: limited, configurable: true, writable: true });
  }
  return target;
}
