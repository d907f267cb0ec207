/**
 * The kinds of tests, one line each: a name, where its tests are, and what else is to be known.
 *
 * - `places`: what the paths of its tests begin with; a path belongs to the first kind that names it.
 * - `needs`: the programs beside Node that its tests run; scripts/debian-packages.mjs knows where they come from.
 * - `isQuick`: belongs to `npm test -- --quick`, because it starts no other program, does not wait and computes little.
 * - `isOnSources`: its tests import packages as they are written, so that nothing has to be built for them.
 * - `isLong`: its files take long; they run before all others, so that no core waits for one of them at the end.
 */
export const kinds = [
  { name: 'packages', places: ['test/packages/'], isLong: true },
  { name: 'faults', places: ['test/faults/'], needs: ['redis-server', 'mariadbd'], isLong: true },
  {
    name: 'cluster',
    places: ['test/cluster/'],
    needs: ['redis-server', 'openssl', 'haproxy', 'pg_ctlcluster', 'pgbouncer', 'systemd-analyze'],
    isLong: true,
  },
  {
    name: 'stores',
    places: ['packages/embedded-database/src/', 'packages/redis-sessions/src/'],
    needs: ['redis-server', 'mariadbd'],
    isLong: true,
  },
  {
    name: 'database',
    places: ['test/database/'],
    needs: ['mariadbd', 'mariadb', 'mariadb-dump', 'pg_ctlcluster', 'psql', 'script'],
    isLong: true,
  },
  { name: 'browser', places: ['test/browser/'], needs: ['chromium-headless-shell'], isLong: true },
  { name: 'security', places: ['test/security/'] },
  { name: 'frameworks', places: ['test/frameworks/'], needs: ['prometheus'] },
  { name: 'http', places: ['test/http/'], needs: ['curl'] },
  { name: 'mcp', places: ['test/mcp/'] },
  { name: 'console', places: ['test/console/', 'packages/console/src/'], isLong: true },
  { name: 'instances', places: ['test/instances/'] },
  { name: 'plugins', places: ['test/plugins/'] },
  { name: 'tables', places: ['packages/clock/src/tables/generated-tables.test.ts'] },
  { name: 'architecture', places: ['test/architecture/'], isQuick: true },
  {
    // Unit tests that need what is built: assets of pages, add-ons, or a package in another process.
    name: 'built',
    places: [
      'packages/bean-inspection/src/browser/',
      'packages/bean-inspection/src/mounts/inspector.test.ts',
      'packages/clock/src/page/browser-script.test.ts',
      'packages/inspect/src/writer/writer.test.ts',
      'service/src/',
      'examples/',
    ],
    isQuick: true,
  },
  {
    name: 'unit',
    places: ['packages/', 'bench/src/', 'scripts/', 'test/soak/'],
    needs: ['xmllint', 'xmlwf'],
    isQuick: true,
    isOnSources: true,
  },
];

/** The kind of a test file, by its path from the root of the repository. */
export const kindOf = (path) => kinds.find(({ places }) => places.some((place) => path.startsWith(place)));
