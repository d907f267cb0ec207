// Opens every bean of the applications in applications/ in every form, twice, with a real Redis and PostgreSQL:
//   npm run test:real-world [-- nest awilix]
// Judges that no answer is large, slow, or tells a secret, and that looking changes, creates and prints nothing.
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDatabase } from '@jig/embedded-database';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';

const folder = fileURLToPath(new URL('./applications/', import.meta.url));
const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const mostBytes = 20 * 2 ** 20;
const mostMs = 2000;
/** A search stops by itself after two seconds, and says so. */
const mostMsOfSearch = 2500;
/** Larger documents are refused by forms that keep them in memory. */
const refusedForms = { compare: [4 * 2 ** 20, 413], live: [2 ** 20, 400] };
/** In every secret that an application is given. */
const planted = 'Hunter2pw';
/** A part of it, to search for: a page repeats what was searched for. */
const partOfPlanted = planted.slice(0, 7);

const chosen = process.argv.slice(2);
const applications = ['nest', 'awilix'].filter((name) => chosen.length === 0 || chosen.includes(name));

execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
// As they are published: linked, they would find the Nest of this repository, not that of the application.
for (const name of ['inspect', 'bean-inspection']) {
  const target = `${folder}node_modules/@jig/${name}`;
  rmSync(target, { recursive: true, force: true });
  for (const part of ['package.json', 'dist'])
    cpSync(`${packages}${name}/${part}`, `${target}/${part}`, { recursive: true });
}

/** What an application answers, up to an end, or to somewhat more than it may. */
async function ask(url, init, end) {
  const start = performance.now();
  const response = await fetch(url, init);
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes || (end !== undefined && Buffer.from(chunk).includes(end))) break;
  }
  return { status: response.status, text: Buffer.concat(chunks).toString(), bytes, ms: performance.now() - start };
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const post = (url, body, headers) =>
  ask(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

async function callTool(base, name, args) {
  const params = { name, arguments: args };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await post(`${base}/mcp`, body, { 'MCP-Protocol-Version': '2025-11-25' });
  return answer.status === 200 && JSON.parse(answer.text).result.isError ? { ...answer, status: 409 } : answer;
}

/** Keeps a snapshot of a bean and compares it with now; the answer is of both. */
async function compare(base, name) {
  const kept = await post(`${base}/compare`, { bean: name, wait: 0 });
  if (kept.status !== 201) return kept;
  const { id } = JSON.parse(kept.text);
  const found = await ask(`${base}/compare.json?from=${id}`);
  return { ...found, ms: kept.ms + found.ms, text: kept.text + found.text };
}

const bean = (extension) => (base, name) => ask(`${base}/bean/${encodeURIComponent(name)}.${extension}`);

/** How a bean is shown. */
const forms = {
  json: bean('json'),
  xml: bean('xml'),
  html: bean('html'),
  'html, all open': bean('html?levels=all'),
  live: (base, name) =>
    ask(`${base}/bean/${encodeURIComponent(name)}.json`, { headers: { Accept: 'text/event-stream' } }, '\n\n'),
  compare,
  read_bean: (base, name) => callTool(base, 'read_bean', { name }),
};

function expectedStatus(form, exists, bytes) {
  if (!exists) return form === 'compare' ? 404 : 409;
  const [most, refusal] = refusedForms[form] ?? [mostBytes];
  return bytes > most ? refusal : 200;
}

/** What shows all beans at once. */
const ofAll = {
  list: (base) => ask(`${base}/bean.json`),
  'list, html': (base) => ask(`${base}/bean`, { headers: { Accept: 'text/html' } }),
  graph: (base) => ask(`${base}/graph`),
  'find a secret': (base) => ask(`${base}/bean.json?find=${partOfPlanted}`),
  'find a secret, html': (base) => ask(`${base}/bean?find=${partOfPlanted}`, { headers: { Accept: 'text/html' } }),
  'find a secret, MCP': (base) => callTool(base, 'find', { text: partOfPlanted }),
  list_beans: (base) => callTool(base, 'list_beans', {}),
  'compare all': (base) => compare(base),
};

/** The first surroundings of a planted secret, to find out where it is. */
function around(text) {
  const index = text.indexOf(planted);
  return text.slice(Math.max(0, index - 120), index + 40);
}

/** Starts an application in a process of its own; what it prints is kept. */
async function start(name, services) {
  const env = { ...process.env, ...services };
  // Without tsx, which would load the ES modules that CommonJS requires a second time.
  const child = fork(`${folder}${name}.mjs`, { cwd: folder, env, execArgv: [], silent: true });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(String(chunk)));
  const ended = once(child, 'exit').then(([code]) => assert.fail(`${name} ended with ${code}: ${printed.join('')}`));
  const whileAlive = (coming) => Promise.race([coming, ended]);
  const message = async () => (await whileAlive(once(child, 'message')))[0];
  const { port } = await message();
  return {
    base: `http://127.0.0.1:${port}/jig`,
    printed,
    whileAlive,
    traces() {
      child.send('traces');
      return message();
    },
    async stop() {
      ended.catch(() => {});
      child.kill();
      await once(child, 'exit');
    },
  };
}

const instantiated = async (base) =>
  JSON.parse((await ask(`${base}/bean.json`)).text).beans.map((each) => [each.name, each.instantiated]);

/** What a getter makes when it is first run, as looking does: a logger of Nest makes the one that it writes with. */
const madeByGetters = /^TERMINUS:LOGGER\/localInstance(?:Ref|LogLevels)\//;

const differences = (before, after) => ({
  added: after.filter((each) => !before.includes(each) && !madeByGetters.test(each)),
  removed: before.filter((each) => !after.includes(each)),
});

const rows = [];
const services = {};

/** Looks at everything in every form; gives what is wrong, and adds to `looks` what each look has cost. */
async function lookAt({ base }, looks) {
  const wrong = [];
  const judge = (what, form, { status, text, bytes }, expected) => {
    if (status !== expected) wrong.push(`${what}, ${form}: ${status} ${text.slice(0, 200)}`);
    if (bytes > mostBytes) wrong.push(`${what}, ${form}: more than ${mostBytes} bytes`);
    if (form === 'find a secret' && JSON.parse(text).beans.length > 0) wrong.push(`${form}: ${text.slice(0, 500)}`);
    if (text.includes(planted)) wrong.push(`${what}, ${form} tells a secret: ${around(text)}`);
  };
  const record = (what, form, { text, bytes, ms }) => {
    const look = looks.get(`${what}, ${form}`) ?? { bytes: 0, ms: Number.POSITIVE_INFINITY };
    const isMasked = text.includes('******');
    // The faster of two, since the machine may be busy.
    looks.set(`${what}, ${form}`, { bytes: Math.max(look.bytes, bytes), ms: Math.min(look.ms, ms), isMasked });
  };
  for (const [name, exists] of await instantiated(base)) {
    for (const [form, look] of Object.entries(forms)) {
      const answer = await look(base, name);
      judge(name, form, answer, expectedStatus(form, exists === true, looks.get(`${name}, json`)?.bytes));
      record(name, form, answer);
    }
  }
  for (const [form, look] of Object.entries(ofAll)) {
    const answer = await look(base);
    judge('all', form, answer, 200);
    record('all', form, answer);
  }
  return wrong;
}

const mostOf = (looks, unit) => looks.reduce((most, look) => (look[1][unit] > most[1][unit] ? look : most));

void describe('beans of real applications', () => {
  before(async () => {
    const password = `redis${planted}`;
    services.redis = await RedisServer.start('--requirepass', password);
    services.postgres = await startDatabase({ password: `postgres${planted}` });
    services.variables = {
      REDIS_PORT: services.redis.port,
      REDIS_PASSWORD: password,
      DATABASE_URL: services.postgres.url,
    };
  });

  after(async () => {
    console.table(rows);
    await services.redis.stop();
    await services.postgres.stop();
  });

  for (const name of applications) {
    void it(name, async () => {
      const application = await start(name, services.variables);
      const { base, printed, whileAlive } = application;
      try {
        const looks = new Map();
        // Its first request says where the beans are.
        const before = { beans: await instantiated(base), traces: await application.traces() };
        await pause(500);
        printed.length = 0;
        const wrong = [await whileAlive(lookAt(application, looks)), await whileAlive(lookAt(application, looks))];
        await pause(500);
        const slow = [...looks].flatMap(([what, { ms }]) => {
          const isSlow = ms > (what.startsWith('all, find') ? mostMsOfSearch : mostMs);
          return isSlow ? [`${what}: ${Math.round(ms)} ms`] : [];
        });
        const ofBeans = [...looks].filter(([what]) => !what.startsWith('all, '));
        const [[largest, { bytes }], [slowest, { ms }]] = [mostOf(ofBeans, 'bytes'), mostOf(ofBeans, 'ms')];
        const total = [...looks.values()].reduce((sum, look) => sum + look.bytes, 0);
        const masked = ofBeans.filter(([, { isMasked }]) => isMasked).length;
        rows.push({
          application: name,
          beans: before.beans.length,
          'largest document': `${(bytes / 1024).toFixed(0)} KB: ${largest}`,
          slowest: `${ms.toFixed(0)} ms: ${slowest}`,
          total: `${(total / 1024).toFixed(0)} KB in ${looks.size} answers, ${masked} with secrets masked`,
        });
        assert.deepEqual([...wrong.flat(), ...slow], []);
        assert.ok(masked > 0, 'no secret was there to be masked');
        assert.deepEqual(await instantiated(base), before.beans);
        assert.deepEqual(differences(before.traces, await application.traces()), { added: [], removed: [] });
        assert.deepEqual(printed, []);
      } finally {
        await application.stop();
      }
    });
  }
});
