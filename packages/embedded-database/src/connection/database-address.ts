import type { ConnectionOptions } from './connection-options.ts';

/** How programs reach one database: `url` for most of them, `environment` for those that read variables. Both hold the password. */
export interface DatabaseAddress {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
}

const loopback = '127.0.0.1';
const usualPorts = { postgresql: 5432, mysql: 3306 };

/** The address of a database as clients take it. A connection by socket has the port only in the name of the socket. */
export function databaseAddress(connection: ConnectionOptions): DatabaseAddress {
  const { dialect, user, password, database, socket, host = loopback, port = usualPorts[dialect] } = connection;
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const name = encodeURIComponent(database);
  const where = socket === undefined ? `${host}:${port}` : `localhost${dialect === 'mysql' ? '' : `:${port}`}`;
  const way =
    socket === undefined ? '' : `?${dialect === 'mysql' ? 'socketPath' : 'host'}=${encodeURIComponent(socket)}`;
  const url = `${dialect}://${credentials}@${where}/${name}${way}`;
  const variables =
    dialect === 'postgresql'
      ? {
          PGHOST: socket ?? host,
          PGPORT: String(port),
          PGUSER: user,
          PGPASSWORD: password,
          PGDATABASE: database,
          PGSSLMODE: 'disable',
        }
      : {
          ...(socket === undefined
            ? { MYSQL_HOST: host, MYSQL_PORT: String(port), MYSQL_TCP_PORT: String(port) }
            : { MYSQL_UNIX_PORT: socket }),
          MYSQL_USER: user,
          MYSQL_PASSWORD: password,
          MYSQL_PWD: password,
          MYSQL_DATABASE: database,
        };
  return { url, environment: { DATABASE_URL: url, ...variables } };
}
