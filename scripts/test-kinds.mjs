/**
 * The kinds of tests, one line each: a name, where its tests are, and what else is to be known.
 *
 * - `places`: what the paths of its tests begin with; a path belongs to the first kind that names it.
 * - `isBeyond`: belongs to `npm run test:all`, not to `npm test`, since it needs more than Node or takes long.
 * - `needs`: the programs beside Node that its tests run; scripts/programs.mjs knows where they come from.
 * - `installs`: folders with packages of their own.
 * - `isQuick`: belongs to `npm run test:quick`, because it starts no other program, does not wait and computes little.
 * - `isOnSources`: its tests import packages as they are written, so that nothing has to be built for them.
 * - `isLong`: its files take long; they run before all others, so that no core waits for one of them at the end.
 */
export const kinds = [
  {
    name: 'packages',
    places: ['test/all/packages/'],
    installs: ['test/all/packages'],
    needs: ['curl'],
    isBeyond: true,
  },
  {
    name: 'older',
    places: ['test/all/older/'],
    installs: ['test/all/older/express-4', 'test/all/older/nest-11', 'test/all/older/mcp-sdk-1'],
    isBeyond: true,
  },
  { name: 'containers', places: ['test/all/containers/'], installs: ['test/all/containers'], isBeyond: true },
  { name: 'plugins', places: ['test/all/plugins/'], installs: ['test/all/plugins'], isBeyond: true },
  { name: 'clients', places: ['test/all/database/'], installs: ['test/all/database'], isBeyond: true, isLong: true },
  { name: 'faults', places: ['test/faults/'], needs: ['redis-server'], isBeyond: true, isLong: true },
  {
    name: 'cluster',
    places: ['test/cluster/'],
    needs: ['redis-server', 'openssl', 'haproxy', 'systemd-analyze'],
    isBeyond: true,
    isLong: true,
  },
  {
    name: 'stores',
    places: ['packages/embedded-database/src/', 'packages/redis-sessions/src/'],
    needs: ['redis-server'],
    isBeyond: true,
    isLong: true,
  },
  {
    name: 'database',
    places: ['test/database/'],
    needs: ['pg_ctlcluster', 'psql', 'script'],
    isBeyond: true,
    isLong: true,
  },
  { name: 'browser', places: ['test/browser/'], needs: ['chromium-headless-shell'], isBeyond: true, isLong: true },
  { name: 'metrics', places: ['test/frameworks/metrics.test.ts'], needs: ['prometheus'], isBeyond: true },
  {
    name: 'xml',
    places: [
      'packages/inspect/src/any-bean.test.ts',
      'packages/inspect/src/awkward-beans.test.ts',
      'packages/bean-inspection/src/graph/graph-formats.test.ts',
    ],
    needs: ['xmllint', 'xmlwf'],
    isOnSources: true,
    isBeyond: true,
  },
  {
    name: 'attach',
    places: ['unprepared', 'attach', 'other-user'].map((each) => `test/console/${each}`),
    installs: ['test/all/containers'],
    isBeyond: true,
    isLong: true,
  },
  { name: 'instances', places: ['test/instances/'], isBeyond: true },
  { name: 'console', places: ['test/console/', 'packages/console/src/'], isLong: true },
  { name: 'security', places: ['test/security/'] },
  { name: 'frameworks', places: ['test/frameworks/'] },
  { name: 'http', places: ['test/http/'] },
  { name: 'mcp', places: ['test/mcp/'] },
  { name: 'documents', places: ['test/documents/'] },
  { name: 'architecture', places: ['test/architecture/'] },
  {
    // Unit tests that need what is built: assets of pages, add-ons, or a package in another process.
    name: 'built',
    places: [
      'packages/bean-inspection/src/browser/',
      'packages/bean-inspection/src/mounts/inspector.test.ts',
      'examples/',
    ],
    isQuick: true,
  },
  {
    name: 'large',
    places: [
      'packages/inspect/src/inspection-chunks.test.ts',
      'packages/inspect/src/large-beans.test.ts',
      'packages/inspect/src/any-outline.test.ts',
      'packages/inspect/src/masking/values.test.ts',
      'packages/sessions/src/',
      'packages/clock/src/names.test.ts',
    ],
    isOnSources: true,
  },
  { name: 'unit', places: ['packages/', 'bench/src/'], isQuick: true, isOnSources: true },
];

/** The kind of a test file, by its path from the root of the repository. */
export const kindOf = (path) => kinds.find(({ places }) => places.some((place) => path.startsWith(place)));
