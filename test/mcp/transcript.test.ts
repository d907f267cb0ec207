import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { BeanDescription, BeanSource } from '@jig/bean-inspection';
import { beanInspection } from '@jig/bean-inspection';
import { expect, it } from 'vitest';
import { listen } from '../frameworks/mounts/listen.ts';
import { clients } from './clients.ts';

const values = new Map<string, unknown>([
  [
    'openSessions',
    new Map([
      ['f3a1', { user: 'ada', cart: ['tea'], token: 'planted-token' }],
      ['9c04', { user: 'grace', cart: [] }],
    ]),
  ],
  [
    'ordersPool',
    {
      url: 'postgres://shop:planted-password@db.example/orders',
      idle: [{ id: 1 }],
      busy: [{ id: 2, query: 'select 1 from orders where id = 4711 for update', forSeconds: 42 }],
      waiting: 3,
    },
  ],
]);

const bean = (name: string, type: string, more: Partial<BeanDescription> = {}): BeanDescription => ({
  name,
  type,
  scope: 'singleton',
  owner: 'shop',
  dependencies: [],
  instantiated: values.has(name),
  ...more,
});

/** A shop with a customer who waits, and a mailer that is not there. */
const shop: BeanSource = {
  describe: () => [
    bean('openSessions', 'Map'),
    bean('ordersPool', 'Pool', { owner: 'database' }),
    bean('orders', 'Orders', { dependencies: ['ordersPool'] }),
  ],
  has: (name) => shop.describe().some((each) => each.name === name),
  peek: (name) => (values.has(name) ? { value: values.get(name) } : undefined),
  get: async () => ({ value: undefined }),
};

/** What an agent that was asked this may call. */
const questions = {
  'Which sessions are open?': [
    ['list_beans', { name: 'session' }],
    ['read_bean', { name: 'openSessions' }],
  ],
  'Order 4711 hangs. What does the pool hold?': [
    ['find', { text: '4711' }],
    ['read_bean', { name: 'ordersPool', depth: 3 }],
  ],
} as const;

it('docs/agents.md shows the real answers of the tools', async () => {
  const handler = beanInspection(shop);
  const running = await listen(createServer((request, response) => void handler(request, response)));
  const client = await clients['SDK v2 with 2026-07-28'](`${running.url}/jig/mcp`);
  const lines: string[] = [];
  for (const [question, calls] of Object.entries(questions)) {
    lines.push(`${lines.length === 0 ? '' : '\n'}${question}`);
    for (const [name, given] of calls) {
      const { texts } = await client.call(name, given);
      lines.push(`→ ${name} ${JSON.stringify(given)}`, ...texts.map((text) => `← ${text}`));
    }
  }
  await client.close();
  await running.stop();
  const [, shown] =
    /```text\n(.*?)```/s.exec(readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')) ?? [];
  expect(shown?.trim()).toBe(lines.join('\n'));
});
