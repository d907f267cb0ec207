import { ServerUnderTest } from '../http/server-under-test.ts';
import { atMost, divided, printedBy, requestCost, shareOfCore } from '../samples.ts';
import type { Suite } from '../suite.ts';

const module = new URL('watched-server.mjs', import.meta.url);
/** Five hours, so that V8 has compiled what reads the values, as in a process that has run for a while. */
const hours = String(5 * 3600);
const long = { rounds: 4, warmUps: 0 };

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
      { ...atMost(0.1, '% of a core', '20 values recorded', () => shareOfCore(idle, 5000)), ...long },
      { ...atMost(4, 'MiB', '50 values recorded, memory', async () => Number(await printedBy(module, '50'))), ...long },
      atMost(20, 'ms CPU', 'page of 20 values', divided(requestCost(visited, page, context, { count: 40 }), 1000)),
    ];
  },
};
