// Runs in each worker of vitest and jest before the tests of a file: only a worker knows its number. CommonJS, since jest loads nothing else.
const worker = process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID;
if (process.env.JIG_DATABASE_MAIN_URL && worker) {
  const name = `jig_worker_${worker}`;
  const url = new URL(process.env.JIG_DATABASE_MAIN_URL);
  url.pathname = `/${name}`;
  process.env.DATABASE_URL = url.href;
  process.env[url.protocol === 'mysql:' ? 'MYSQL_DATABASE' : 'PGDATABASE'] = name;
}
