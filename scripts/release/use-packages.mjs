// Runs in a folder where the tarballs are installed, on any supported Node: uses each package as its README says.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const manifest = pathToFileURL(join(process.cwd(), 'package.json'));
const require = createRequire(manifest);
const load = (name) => import(pathToFileURL(require.resolve(name)));

const { inspect } = await load('@jig/inspect');
const { default: sessions } = await load('@jig/sessions');
const { createApplication } = await load('@jig/application');
const { clockFeature } = await load('@jig/clock');
const { beanInspection } = await load('@jig/bean-inspection');
const { startDatabase } = await load('@jig/embedded-database');
const { RedisConnection } = await load('@jig/redis-sessions');

const uses = {
  'inspect writes a value, with its secrets masked'() {
    const bean = { name: 'Ada', password: 'hunter2', friends: new Map([['uuid:1', { since: new Date(0) }]]) };
    const json = '{"name":"Ada","password":"******","friends":{"uuid:1":{"since":0}}}';
    assert.equal(inspect(bean).toString(), json);
    assert.match(inspect(bean, { format: 'xml' }).toString(), /<name>Ada<\/name>/);
  },

  async 'sessions count the visits of a plain Fastify application'() {
    const { fastify } = await load('fastify');
    const app = fastify();
    await app.register(sessions, { secret: 'for trying this out on your own machine' });
    app.get('/', async ({ session }) => {
      const visits = Number((await session.get('visits')) ?? 0) + 1;
      await session.set('visits', String(visits));
      return `Visit ${visits}`;
    });
    const first = await app.inject('/');
    const cookie = String(first.headers['set-cookie']).split(';')[0];
    assert.equal((await app.inject({ url: '/', headers: { cookie } })).body, 'Visit 2');
    await app.close();
  },

  async 'bean-inspection shows a bean of a node:http server'() {
    const handler = beanInspection({ pricing: new Map([['de', 19]]) });
    const server = createServer((request, response) => void handler(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    const answer = await fetch(`http://127.0.0.1:${port}/jig/bean/pricing.json`);
    assert.deepEqual(await answer.json(), { de: 19 });
    server.closeAllConnections();
    server.close();
  },

  async 'embedded-database starts PostgreSQL ten times at the same time, in a folder with spaces and umlauts'() {
    const { default: pg } = await load('pg');
    const folder = await mkdtemp(join(tmpdir(), 'Prüfung der Größe '));
    // Another user runs the servers of root.
    await chmod(folder, 0o755);
    process.env.TMPDIR = folder;
    try {
      const databases = await Promise.all(Array.from({ length: 10 }, () => startDatabase()));
      for (const { url } of databases) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        assert.deepEqual((await client.query('select 6 * 7 as answer')).rows, [{ answer: 42 }]);
        await client.end();
      }
      await Promise.all(databases.map((database) => database.stop()));
      assert.deepEqual(await readdir(join(folder, `jig-databases-${process.getuid()}`)), ['templates']);
    } finally {
      delete process.env.TMPDIR;
      await rm(folder, { recursive: true, force: true });
    }
  },

  async 'redis-sessions refuses an address where nothing listens'() {
    const connection = new RedisConnection({
      url: new URL('redis://127.0.0.1:1'),
      connectTimeout: 500,
      commandTimeout: 500,
      log: { info() {}, warn() {} },
    });
    await assert.rejects(connection.start(), /Redis/);
    await connection.stop();
  },

  'CommonJS can require each of them'() {
    const names = Object.keys(require(join(process.cwd(), 'package.json')).dependencies);
    const ours = names.filter((name) => name.startsWith('@jig/'));
    assert.equal(ours.length, 8);
    for (const name of ours) assert.equal(typeof require(name), 'object', name);
  },

  async 'application serves the clock and finds the add-ons'() {
    const home = await mkdtemp(join(tmpdir(), 'jig-release-use-'));
    const application = await createApplication({
      name: 'Example',
      description: 'Built on the packed packages.',
      version: '1.0.0',
      manifest,
      features: [clockFeature],
      flags: ['--addOns.exclude=@jig/embedded-database', '--log.level=warn'],
      environment: { PORT: '0', JIG_HOME: home, NODE_ENV: 'development' },
    });
    const address = await application.start();
    const page = await (await fetch(`${address}/clock/time`, { headers: { 'accept-language': 'fr-FR' } })).text();
    assert.match(page, /<html lang="fr-FR"/);
    const { found } = await (await fetch(`${address}/jig/bean/addOns.json`)).json();
    const states = Object.fromEntries(found.map(({ name, state }) => [name, state]));
    assert.equal(states['@jig/bean-inspection'], 'on');
    assert.ok('@jig/redis-sessions' in states);
    await application.stop();
    await rm(home, { recursive: true });
  },
};

for (const [name, use] of Object.entries(uses)) {
  await use();
  console.log(`  ✓ ${name}`);
}
