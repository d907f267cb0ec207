import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { divided, microseconds, requestCost } from '../samples.ts';
import type { Suite } from '../suite.ts';

const module = new URL('watched-server.mjs', import.meta.url);
/** Five hours, so that V8 has compiled what reads the values, as in a process that has run for a while. */
const hours = String(5 * 3600);

export const watchSuite: Suite = {
  name: 'watch',
  about:
    'Values of a bean that are recorded once a second over five hours: what that takes of a core while nobody looks, what 50 of them take of memory, and the page with 20 of them.',
  async open(context) {
    const start = () => ServerUnderTest.start(context, { module, arguments: ['20', hours] });
    // Requests make the process be measured, so those go to another one.
    const [idle, visited] = await Promise.all([start(), start()]);
    const page = [{ path: '/jig/watch', headers: { accept: 'text/html' } }];
    return [
      {
        name: '20 values recorded',
        unit: '% of a core',
        target: { atMost: 0.1 },
        ours: { sample: () => shareOfCore(idle) },
        rounds: context.quick ? 1 : 4,
        warmUps: 0,
      },
      {
        name: '50 values recorded, memory',
        unit: 'MiB',
        target: { atMost: 4 },
        ours: { sample: memoryOfFifty },
        rounds: context.quick ? 1 : 4,
        warmUps: 0,
      },
      {
        name: 'page of 20 values',
        unit: 'ms CPU',
        target: { atMost: 20 },
        ours: divided(requestCost(visited, page, context, { count: 40 }), 1000),
      },
    ];
  },
};

async function shareOfCore(server: ServerUnderTest): Promise<number> {
  const [before, start] = [await server.usage(), performance.now()];
  await pause(5000);
  const [after, end] = [await server.usage(), performance.now()];
  return (microseconds(after.cpu) - microseconds(before.cpu)) / (end - start) / 10;
}

async function memoryOfFifty(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', fileURLToPath(module), '50']);
  return Number(stdout);
}
