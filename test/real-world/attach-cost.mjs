// What attaching costs: node test/real-world/attach-cost.mjs [cycles] [node …]
// For each Node: how long its debugger is open, the longest stop of its event loop, and what is left after all cycles, half of them by kill -9.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [cycles = '20', ...given] = process.argv.slice(2);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const jig = path('../../packages/console/bin/jig.js');
const application = path('../console/fixtures/unprepared/basket.cjs');

/** Tells of each time that the event loop stood still for more than 10 ms, and of the CPU time in it: others may use the machine. */
const watchLoop = `data:text/javascript,${encodeURIComponent(`
  let last = performance.now();
  let used = process.cpuUsage();
  setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    if (now - last > 11) process.send([now - last - 1, (user + system) / 1000]);
    last = now;
    used = process.cpuUsage();
  }, 1).unref();
  process.channel.unref();
`)}`;

const ask = (url, agent) =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => resolve(text(response).then((body) => [response.statusCode, body]))).on(
      'error',
      reject,
    );
  });

/** Asks all the time, on connections that are kept alive. */
function putLoadOn(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const load = { requests: 0, failures: 0, isOn: true };
  load.done = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (load.isOn) {
        const [status] = await ask(url, agent).catch(() => [0]);
        load.requests++;
        if (status !== 200) load.failures++;
        await delay(5);
      }
    }),
  ).then(() => agent.destroy());
  return load;
}

/** Opens the list of beans. */
async function look(folder) {
  const socketPath = readdirSync(folder).find((name) => name.endsWith('.sock'));
  const response = await new Promise((resolve, reject) => {
    get({ socketPath: join(folder, socketPath), path: '/jig/bean.json', agent: false }, resolve).on('error', reject);
  });
  await text(response);
}

const middle = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
const range = (values) =>
  `${middle(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;

async function measure(node) {
  const folder = await mkdtemp(join(tmpdir(), 'ja-'));
  const env = { PATH: process.env.PATH, XDG_RUNTIME_DIR: folder, TMPDIR: folder };
  const stdio = ['ignore', 'pipe', 'ignore', 'ipc'];
  const child = spawn(node, ['--inspect-port=0', '--expose-gc', '--import', watchLoop, application], { env, stdio });
  let stops = [];
  child.on('message', (stop) => stops.push(stop));
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  const state = async () => JSON.parse((await ask(`${url}/state`))[1]);
  await state();
  const before = await state();
  stops = [];
  const load = putLoadOn(`${url}/basket`);
  await delay(500);
  const most = (index) => Math.max(0, ...stops.map((stop) => stop[index]));
  const idle = most(0);
  const open = [];
  const longest = [];
  const cpu = [];
  const ready = [];
  for (let cycle = 0; cycle < Number(cycles); cycle++) {
    stops = [];
    const begun = performance.now();
    const attached = spawn(process.execPath, [jig, 'attach', String(child.pid), '--yes'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: attached.stdout }), 'line');
    ready.push(performance.now() - begun);
    open.push(Number(/open for (\d+) ms/.exec(line)?.[1]));
    await look(join(folder, 'jig'));
    await delay(50);
    longest.push(most(0));
    cpu.push(most(1));
    attached.kill(cycle % 2 === 0 ? 'SIGINT' : 'SIGKILL');
    await once(attached, 'exit');
    do await delay(100);
    while (readdirSync(join(folder, 'jig')).some((name) => name.endsWith('.json')));
  }
  load.isOn = false;
  await load.done;
  await delay(6000);
  const after = await state();
  child.kill();
  await rm(folder, { recursive: true });
  const left = Object.keys(before).filter(
    (key) => key !== 'heap' && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  console.log(`${node}
  debugger open, ms:         ${range(open)}
  longest stop, ms:          ${range(longest)}; the first time ${longest[0].toFixed(0)}, before attaching ${idle.toFixed(0)}
  CPU in one stop, ms:       ${range(cpu)}; the first time ${cpu[0].toFixed(0)}
  ready after, ms:           ${range(ready)}
  requests, failed:          ${load.requests}, ${load.failures}
  heap after ${cycles} cycles, MB: ${((after.heap - before.heap) / 1e6).toFixed(1)} more
  left:                      ${left.length === 0 ? 'nothing' : left.map((key) => `${key} ${JSON.stringify(before[key])} → ${JSON.stringify(after[key])}`).join(', ')}`);
}

for (const node of given.length === 0 ? [process.execPath] : given) await measure(node);
