const beside = ['service/src', 'examples/*/src', 'bench/src', 'release/src', 'scripts', 'test/soak'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const withServers = 'packages/{embedded-database,redis-sessions}/src/**/*.test.ts';

const ofTables = 'packages/clock/src/tables/generated-tables.test.ts';

/**
 * The projects of the tests, one line each: a name, where its tests are, and what else is to be known.
 *
 * - `exclude`: tests in these places that belong to another project.
 * - `needs`: the programs beside Node that its tests run; scripts/debian-packages.mjs knows where they come from.
 * - `isQuick`: belongs to `npm test -- --quick`, because it starts no other program, does not wait and computes little.
 * - `isShared`: its files share the modules that they load, which takes two thirds of the time; they must leave no state behind.
 *
 * They run in this order: those whose files take long first, so that no core waits for one of them at the end.
 */
export const projects = [
  { name: 'faults', include: 'test/faults/**/*.test.ts', isShared: true, needs: ['redis-server', 'mariadbd'] },
  {
    name: 'cluster',
    include: 'test/cluster/**/*.test.ts',
    isShared: true,
    needs: ['redis-server', 'openssl', 'haproxy', 'pg_ctlcluster', 'pgbouncer', 'systemd-analyze'],
  },
  { name: 'packages', include: 'test/packages/**/*.test.ts' },
  { name: 'stores', include: withServers, isShared: true, needs: ['redis-server', 'mariadbd'] },
  {
    name: 'database',
    include: 'test/database/**/*.test.ts',
    needs: ['mariadbd', 'mariadb', 'mariadb-dump', 'pg_ctlcluster', 'psql', 'script'],
  },
  { name: 'browser', include: 'test/browser/**/*.test.ts', needs: ['chromium-headless-shell'], isShared: true },
  { name: 'security', include: 'test/security/**/*.test.ts', isShared: true },
  { name: 'frameworks', include: 'test/frameworks/**/*.test.ts', isShared: true },
  { name: 'http', include: 'test/http/**/*.test.ts', needs: ['curl'], isShared: true },
  { name: 'mcp', include: 'test/mcp/**/*.test.ts', isShared: true },
  { name: 'plugins', include: 'test/plugins/**/*.test.ts', isShared: true },
  { name: 'tables', include: ofTables, isShared: true },
  { name: 'architecture', include: 'test/architecture/**/*.test.ts', isQuick: true, isShared: true },
  {
    name: 'unit',
    include: ['packages/*/src/**/*.test.ts', ...beside],
    exclude: [withServers, ofTables],
    needs: ['xmllint', 'xmlwf'],
    isQuick: true,
    isShared: true,
  },
];
