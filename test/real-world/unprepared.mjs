// Runs applications that nobody here wrote by jig run, or attaches to them, and tells which of their components are found:
//   node test/real-world/unprepared.mjs [--attach] [names …]
// unprepared-expectations.json says which components a developer would name; it was written before looking.
// Installs into the folder JIG_APPLICATIONS, or a temporary one that it removes; needs the network.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const preload = new URL('../../packages/console/dist/run/run.js', import.meta.url).href;
const tsx = import.meta.resolve('tsx');
const jig = fileURLToPath(new URL('../../packages/console/bin/jig.js', import.meta.url));
const isAttach = process.argv.includes('--attach');
const expectations = JSON.parse(readFileSync(new URL('unprepared-expectations.json', import.meta.url), 'utf8'));
const root = process.env.JIG_APPLICATIONS ?? mkdtempSync(join(tmpdir(), 'jig-applications-'));

const npm = (...args) => [
  'npm',
  ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', ...args],
];
const clone = (repository) => ['git', ['clone', '--quiet', '--depth=1', `https://github.com/${repository}`, '.']];
const compileNest = `npx --yes --package typescript@5 tsc src/main.ts --outDir dist --module nodenext --target es2022 --experimentalDecorators --emitDecoratorMetadata --skipLibCheck`;

const mockoonEnvironment = JSON.stringify({
  name: 'shop',
  port: 4117,
  hostname: '127.0.0.1',
  data: [{ uuid: 'd1', id: 'abcd', name: 'items', value: '[{ "id": 1 }]' }],
  routes: [
    {
      uuid: 'r1',
      type: 'http',
      method: 'get',
      endpoint: 'items',
      responses: [{ uuid: 's1', body: '[]', statusCode: 200, default: true }],
    },
  ],
});

/** How each is installed, in a folder of its name, and started there. */
const applications = {
  'json-server': {
    install: [npm('json-server@0.17.4')],
    files: { 'db.json': '{"posts":[{"id":1,"title":"a"}],"comments":[{"id":1,"postId":1}],"profile":{"name":"x"}}' },
    start: ['node_modules/json-server/lib/cli/bin.js', '--port', '4101', 'db.json'],
  },
  maildev: { install: [npm('maildev@2.2.1')], start: ['node_modules/maildev/bin/maildev'] },
  statsd: {
    install: [npm('--omit=optional', 'statsd@0.9.0')],
    files: { 'config.js': '{ backends: ["./backends/console"], port: 4103, mgmt_port: 4104, flushInterval: 60000 }' },
    start: ['node_modules/statsd/stats.js', 'config.js'],
  },
  'node-red': {
    install: [npm('node-red@4.0.9')],
    start: ['node_modules/node-red/red.js', '--port', '4105', '--userDir', 'data'],
  },
  'express-generator': {
    install: [['npx', ['--yes', 'express-generator@4.16.1', '--no-view', '--force', '.']], npm()],
    start: ['bin/www'],
    env: { PORT: '4106' },
  },
  'fastify-cli': {
    install: [['npx', ['--yes', 'fastify-cli@7', 'generate', '.', '--esm']], npm()],
    start: ['node_modules/fastify-cli/cli.js', 'start', '--port', '4107', 'app.js'],
  },
  'koa-blog': { install: [clone('koajs/examples'), npm('--omit=dev')], start: ['blog/app.js'] },
  hapi: {
    install: [clone('hapipal/boilerplate'), npm('--legacy-peer-deps')],
    start: ['server'],
    env: { PORT: '4109' },
  },
  feathers: {
    install: [clone('feathersjs/feathers-chat'), npm('--prefix', 'quick-start')],
    start: ['--import', tsx, 'quick-start/app.ts'],
  },
  nest: {
    install: [
      clone('nestjs/nest'),
      npm('--prefix', 'sample/01-cats-app'),
      ['sh', ['-c', `cd sample/01-cats-app && ${compileNest}`]],
    ],
    start: ['sample/01-cats-app/dist/main.js'],
  },
  hubot: { install: [npm('hubot@14.1.0')], start: ['node_modules/hubot/bin/hubot'], env: { PORT: '4111' } },
  homebridge: {
    install: [npm('homebridge@1.8.5')],
    start: ['node_modules/homebridge/bin/homebridge', '--user-storage-path', 'data', '--no-qrcode'],
  },
  'express-gateway': {
    install: [npm('express-gateway@1.16.11')],
    start: ['node_modules/express-gateway/lib/index.js'],
    env: { EG_CONFIG_DIR: 'node_modules/express-gateway/lib/config', EG_HTTP_PORT: '4113' },
  },
  loopback: {
    install: [
      ['sh', ['-c', 'npm pack --silent @loopback/example-todo@6.0.0 && tar xzf *.tgz --strip-components=1']],
      npm('--omit=dev'),
    ],
    start: ['dist/index.js'],
    env: { PORT: '4115', HOST: '127.0.0.1' },
  },
  mockoon: {
    install: [npm('@mockoon/cli@9.9.0')],
    files: { 'data.json': mockoonEnvironment },
    start: [
      'node_modules/@mockoon/cli/bin/run.js',
      'start',
      '--data',
      'data.json',
      '--disable-log-to-file',
      '--repair',
    ],
  },
  s3rver: {
    install: [npm('s3rver@3.7.1')],
    start: ['node_modules/s3rver/bin/s3rver.js', '--port', '4118', '--directory', 'data'],
  },
  azurite: {
    install: [npm('azurite@3.35.0')],
    start:
      'node_modules/azurite/dist/src/azurite.js --silent --inMemoryPersistence --disableTelemetry --blobPort 4121 --queuePort 4122 --tablePort 4123'.split(
        ' ',
      ),
  },
  aedes: {
    install: [npm('aedes-cli@1.0.2')],
    start: ['node_modules/aedes-cli/bin/aedes', '--protos', 'tcp', 'ws', '--port', '4124', '--ws-port', '4125'],
  },
  karma: { install: [npm('karma@6.4.4')], start: ['node_modules/karma/bin/karma', 'start', '--port', '4126'] },
  'local-web-server': {
    install: [npm('local-web-server@5.4.0')],
    start: ['node_modules/local-web-server/bin/cli.js', '--port', '4127'],
  },
};

function install(name) {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  for (const [command, args] of applications[name].install)
    execFileSync(command, args, { cwd: folder, stdio: 'inherit' });
  return folder;
}

/** Jig leaves when the process ends. */
async function attachTo(pid, env) {
  const attached = spawn(process.execPath, [jig, 'attach', String(pid), '--yes'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(attached.stdout, 'data');
}

const cpuTicks = (pid) => {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, '')
    .split(/ +/);
  return Number(user) + Number(system);
};

/** Until a process has started: it uses hardly any CPU. */
async function untilIdle(pid) {
  for (let before = Number.NEGATIVE_INFINITY, now = 0; now - before > 5; ) {
    before = cpuTicks(pid);
    await pause(2000);
    now = cpuTicks(pid);
  }
}

/** The beans of an application, as jig shows them. */
async function beansOf(name) {
  const folder = install(name);
  const { start, env, files = {} } = applications[name];
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const runtime = mkdtempSync(join(tmpdir(), 'jig-'));
  const own = { ...process.env, XDG_RUNTIME_DIR: runtime };
  const child = spawn(process.execPath, isAttach ? ['--inspect-port=0', ...start] : start, {
    cwd: folder,
    env: { ...own, ...env, ...(isAttach ? {} : { NODE_OPTIONS: `--import ${preload}` }) },
    // A shell needs both.
    stdio: ['pipe', 'pipe', process.env.VERBOSE ? 'inherit' : 'ignore'],
  });
  child.stdout.resume();
  try {
    await untilIdle(child.pid);
    const used = cpuTicks(child.pid);
    if (isAttach) await attachTo(child.pid, own);
    const announced = readdirSync(join(runtime, 'jig')).filter((file) => file.endsWith('.json'));
    const all = announced.map((file) => JSON.parse(readFileSync(join(runtime, 'jig', file), 'utf8')));
    const { socket } = all.find(({ pid }) => pid === child.pid);
    const response = await new Promise((resolve, reject) => {
      get({ socketPath: socket, path: '/jig/bean.json', agent: false }, resolve).on('error', reject);
    });
    const { beans } = await json(response);
    return { beans, ms: (cpuTicks(child.pid) - used) * 10 };
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(runtime, { recursive: true, force: true });
  }
}

const chosen = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const total = { found: 0, wanted: 0 };
console.log('| application | found | beans, of these minor | CPU of the first look | missed |\n|---|---|---|---|---|');
for (const name of Object.keys(applications).filter((each) => chosen.length === 0 || chosen.includes(each))) {
  const looked = await beansOf(name).catch((error) => error);
  if (looked instanceof Error) {
    process.exitCode = 1;
    console.log(`| ${name} | not measured: ${looked.message.split('\n')[0]} | | | |`);
    continue;
  }
  const { beans, ms } = looked;
  if (process.env.VERBOSE)
    for (const { name: bean, type, owner, isMinor } of beans)
      console.log(isMinor ? '-' : '*', bean, `[${type}]`, owner);
  // A module as a whole is no component.
  const texts = beans.filter(({ type }) => type !== 'module').map(({ name: bean, type }) => `${bean} [${type}]`);
  const wanted = Object.entries(expectations[name].components);
  const missed = wanted.filter(([, pattern]) => !texts.some((text) => new RegExp(pattern).test(text)));
  total.found += wanted.length - missed.length;
  total.wanted += wanted.length;
  const minor = beans.filter(({ isMinor }) => isMinor).length;
  console.log(
    `| ${name} | ${wanted.length - missed.length} of ${wanted.length} | ${beans.length}, ${minor} | ${Math.round(ms)} ms | ${missed.map(([component]) => component).join(', ')} |`,
  );
}
console.log(`\n${total.found} of ${total.wanted}, ${Math.round((100 * total.found) / total.wanted)} %`);
if (process.env.JIG_APPLICATIONS === undefined) rmSync(root, { recursive: true, force: true });
