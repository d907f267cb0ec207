const beside = ['service/src', 'examples/*/src', 'bench/src', 'release/src', 'scripts', 'test/soak'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const withServers = 'packages/{embedded-database,redis-sessions}/src/**/*.test.ts';

/**
 * The projects of the tests, one line each: a name, where its tests are, and what else is to be known.
 *
 * - `exclude`: tests in these places that belong to another project.
 * - `needs`: the programs beside Node that its tests run; scripts/debian-packages.mjs knows where they come from.
 * - `isQuick`: belongs to `npm test -- --quick`, because it starts no other program and does not wait.
 * - `isShared`: its files share the modules that they load, which takes two thirds of the time; they must leave no state behind.
 * - `isAlone`: runs when the others are done, because it puts the machine under load, or looks at it as a person does, to whom seconds matter.
 */
export const projects = [
  { name: 'architecture', include: 'test/architecture/**/*.test.ts', isQuick: true },
  {
    name: 'unit',
    include: ['packages/*/src/**/*.test.ts', ...beside],
    exclude: withServers,
    needs: ['xmllint', 'xmlwf'],
    isQuick: true,
    isShared: true,
  },
  { name: 'stores', include: withServers, needs: ['redis-server', 'mariadbd'] },
  { name: 'http', include: 'test/http/**/*.test.ts', needs: ['curl'] },
  { name: 'security', include: 'test/security/**/*.test.ts' },
  { name: 'browser', include: 'test/browser/**/*.test.ts', needs: ['chromium-headless-shell'], isAlone: true },
  { name: 'frameworks', include: 'test/frameworks/**/*.test.ts' },
  { name: 'mcp', include: 'test/mcp/**/*.test.ts' },
  { name: 'plugins', include: 'test/plugins/**/*.test.ts' },
  { name: 'database', include: 'test/database/**/*.test.ts', needs: ['mariadbd', 'mariadb', 'mariadb-dump', 'psql'] },
  { name: 'packages', include: 'test/packages/**/*.test.ts' },
  {
    name: 'cluster',
    include: 'test/cluster/**/*.test.ts',
    needs: ['redis-server', 'openssl', 'haproxy'],
    isAlone: true,
  },
  { name: 'faults', include: 'test/faults/**/*.test.ts', needs: ['redis-server', 'mariadbd'], isAlone: true },
];
