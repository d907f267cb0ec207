import type { Engine } from './engine.ts';
import { mysql } from './mysql/mysql.ts';
import { postgresql } from './postgresql/postgresql.ts';

/** MySQL and MariaDB are found by either name: which of them is installed shows when it runs. */
const engines = { postgresql, mysql, mariadb: mysql } as const;

export function engineByName(name: keyof typeof engines): Engine {
  return engines[name];
}
