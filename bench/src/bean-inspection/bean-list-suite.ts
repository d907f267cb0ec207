import { microseconds, requestCost } from '../cpu-time.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { Case, Contender, Suite } from '../suite.ts';

const start = () => ServerUnderTest.start({ module: new URL('nest-server.mjs', import.meta.url) });

/** Few requests: each answer is some 300 KB long. */
const count = 10;

export const beanListSuite: Suite = {
  name: 'bean-list',
  about: 'The list of the beans of a Nest application with 1,000 providers, and one of them, over `node:http`.',
  async open(context) {
    const server = await start();
    const row = (name: string, path: string, target: Case['target'], headers = {}): Case => ({
      name,
      unit: 'ms CPU',
      target,
      ours: inMilliseconds(requestCost(server, [{ path, headers }], context, { count })),
    });
    return {
      cases: [
        {
          name: 'first list after the start',
          unit: 'ms CPU',
          target: { shown: true },
          ours: firstList,
          rounds: 3,
          warmUps: 0,
        },
        row('list as JSON', '/jig/bean.json', { atMost: 50 }),
        row('list as XML', '/jig/bean.xml', { atMost: 50 }),
        row('list as a page', '/jig/bean', { atMost: 50 }, { accept: 'text/html' }),
        row('one bean', '/jig/bean/Provider7x7.json', { shown: true }),
      ],
      close: () => server.stop(),
    };
  },
};

const inMilliseconds = (contender: Contender): Contender => ({
  sample: async () => (await contender.sample()) / 1000,
});

/** In a process of its own each time, in which nothing is compiled yet. */
const firstList: Contender = {
  async sample() {
    const server = await start();
    try {
      const before = await server.usage();
      await (await fetch(new URL('/jig/bean.json', server.url))).text();
      return (microseconds((await server.usage()).cpu) - microseconds(before.cpu)) / 1000;
    } finally {
      await server.stop();
    }
  },
};
