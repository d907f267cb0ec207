// Looks at live objects of the libraries in libraries/package.json, with a real Redis and PostgreSQL:
//   node --import tsx test/real-world/libraries.mjs [name …]
// Judges what each says at a glance, and that looking in every form changes nothing, prints nothing, tells no secret and stays small.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startDatabase } from '@jig/embedded-database';
import { builtInViews, find, glance, inspect, outline, stateLine } from '@jig/inspect';
import { readPrivateFields as privateFields } from '@jig/inspect/internal';
import { viewCases } from '../../packages/inspect/test-fixtures/view-cases.ts';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';

const libraries = new URL('./libraries/', import.meta.url);
const mostBytes = 20 * 2 ** 20;
const mostMs = 2000;
/** In every secret that an object is given. */
const planted = 'Hunter2pw';

const names = process.argv.slice(2);

execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
  cwd: fileURLToPath(libraries),
  stdio: 'inherit',
});

const modules = [
  'node',
  'frameworks',
  'databases',
  'redis-and-queues',
  'pools-and-caches',
  'clients-and-logs',
  'jobs-and-limits',
  'stores',
  'values',
];
const groups = await Promise.all(modules.map((name) => import(new URL(`${name}.mjs`, libraries))));
const objects = Object.entries(Object.assign({}, ...groups.flatMap((each) => Object.values(each)))).filter(
  ([name]) => names.length === 0 || names.includes(name),
);

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, libraries), 'utf8')).version;

const warnings = [];
process.on('warning', (warning) => warnings.push(String(warning)));

/** Every form in which an object is shown. */
const forms = {
  json: (value) => inspect(value, { budget: 5000, privateFields }).toString(),
  xml: (value) => inspect(value, { format: 'xml', budget: 5000, privateFields }).toString(),
  outline: (value) => JSON.stringify(outline(value, { privateFields })),
  glance: (value) => JSON.stringify(glance(value)) ?? '',
  line: (value) => stateLine(value, { privateFields }),
  find: async (value) => JSON.stringify(await find(value, 'a', { privateFields })),
};

/** What looking would change if it changed anything: own properties down to two levels, and what the process has open. */
function traces(value) {
  const keys = (object) => Reflect.ownKeys(object).map(String);
  const parts = keys(value)
    .map((name) => Object.getOwnPropertyDescriptor(value, name)?.value)
    .filter((part) => typeof part === 'object' && part !== null);
  return { keys: keys(value), parts: parts.map(keys) };
}

/** Connections, servers and timers that there are now; files are read by the loader meanwhile. */
const open = () => process.getActiveResourcesInfo().filter((kind) => !/^FSReq|^CloseReq/.test(kind)).length;

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

const services = {};

void describe('objects of real libraries', () => {
  before(async () => {
    const password = `redis${planted}`;
    services.server = await RedisServer.start('--requirepass', password);
    services.redis = { port: services.server.port, password };
    services.postgres = await startDatabase({ password: `postgres${planted}` });
  });

  after(async () => {
    await services.server.stop();
    await services.postgres.stop();
    // Threads, timers and clients of libraries that nobody can end.
    setTimeout(() => process.exit(), 1000).unref();
  });

  for (const [name, { package: library, line: expected, document, make, end }] of objects) {
    void it(name, async () => {
      const value = await make(services);
      try {
        const seen = glance(value);
        const sizes = {};
        await settled();
        const [before, openBefore] = [traces(value), open()];
        warnings.length = 0;
        for (const round of [1, 2]) {
          for (const [form, look] of Object.entries(forms)) {
            const start = performance.now();
            const text = await look(value);
            const spent = performance.now() - start;
            assert.ok(
              !text.includes(planted),
              `${form} tells a secret: ${text.slice(text.indexOf(planted) - 80).slice(0, 120)}`,
            );
            assert.ok(text.length <= mostBytes, `${form} has ${text.length} characters`);
            assert.ok(spent <= mostMs, `${form} took ${Math.round(spent)} ms`);
            if (round === 2) sizes[form] = text.length;
          }
        }
        await settled();
        assert.deepEqual(traces(value), before);
        assert.ok(open() <= openBefore, `looking opened something: ${process.getActiveResourcesInfo().join(', ')}`);
        assert.deepEqual(warnings, []);
        const line = stateLine(value);
        const row = { name, library, version: library && versionOf(library), line, sizes };
        if (names.length > 0) console.log(JSON.stringify({ ...row, readings: seen?.readings }, undefined, 2));
        if (expected instanceof RegExp) assert.match(line, expected);
        else assert.equal(line, expected);
        if (document !== undefined) assert.deepEqual(JSON.parse(forms.json(value)), document);
        if (seen === undefined) return;
        const view = builtInViews.find((each) => each.name === seen.view);
        for (const { name: promise, run } of viewCases({ view, create: () => value })) {
          await run().catch((error) => assert.fail(`${promise}: ${error.message}`));
        }
      } finally {
        await end?.(value);
      }
    });
  }
});
