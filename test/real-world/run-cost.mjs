// What `node --import @jig/console/run` costs an application that nobody looks at, with and without in turn:
//   node test/real-world/run-cost.mjs [path of a node …]
// Time and CPU until it listens, memory, CPU for each request. CPU tells more than time on a machine that others use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const preload = new URL('../../packages/console/dist/run/run.js', import.meta.url).href;
const fixtures = fileURLToPath(new URL('../console/fixtures/unprepared/', import.meta.url));
const runtime = mkdtempSync(join(tmpdir(), 'jig-'));
const starts = 15;
const requests = 4000;
const rounds = 5;

/** Milliseconds of CPU and megabytes of a process, as Linux counts them. */
function usage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, memory: (Number(fields[21]) * 4096) / 1e6 };
}

async function start(node, app, isRun) {
  const begun = performance.now();
  const child = spawn(node, [join(fixtures, app)], {
    env: {
      PATH: process.env.PATH,
      XDG_RUNTIME_DIR: runtime,
      ...(isRun ? { NODE_OPTIONS: `--import ${preload}` } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, port: Number(port), ready: performance.now() - begun, ...usage(child.pid) };
}

async function stop(child) {
  child.kill();
  await once(child, 'exit');
}

async function send(port, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const one = () =>
    new Promise((resolve, reject) =>
      get({ port, host: '127.0.0.1', agent }, (response) => response.resume().on('end', resolve)).on('error', reject),
    );
  for (let left = count; left > 0; left -= 16) await Promise.all(Array.from({ length: 16 }, one));
  agent.destroy();
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

for (const node of process.argv.length > 2 ? process.argv.slice(2) : [process.execPath])
  for (const app of ['shop.cjs', 'prices.mjs']) {
    const all = {
      plain: { ready: [], cpu: [], memory: [], request: [] },
      run: { ready: [], cpu: [], memory: [], request: [] },
    };
    for (let round = 0; round < starts; round++)
      for (const name of ['plain', 'run']) {
        const { child, ready, cpu, memory } = await start(node, app, name === 'run');
        for (const [key, value] of Object.entries({ ready, cpu, memory })) all[name][key].push(value);
        await stop(child);
      }
    const running = { plain: await start(node, app, false), run: await start(node, app, true) };
    for (const { port } of Object.values(running)) await send(port, requests);
    for (let round = 0; round < rounds; round++)
      for (const [name, { child, port }] of Object.entries(running)) {
        const before = usage(child.pid).cpu;
        await send(port, requests);
        all[name].request.push(((usage(child.pid).cpu - before) / requests) * 1000);
      }
    for (const { child } of Object.values(running)) await stop(child);
    for (const [name, { ready, cpu, memory, request }] of Object.entries(all))
      console.log(
        `${node.match(/n(\d\d)\//)?.[1] ?? process.versions.node} ${app} ${name.padEnd(5)} ready ${Math.round(median(ready))} ms (least ${Math.round(Math.min(...ready))}), CPU ${median(cpu)} ms, ${Math.round(median(memory))} MB, ${Math.round(median(request))} µs CPU for a request (least ${Math.round(Math.min(...request))})`,
      );
  }
rmSync(runtime, { recursive: true, force: true });
