import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serveBeans } from '../support/serve-beans.ts';
import { clients } from './clients.ts';

class Pool {
  url = 'postgres://shop:planted-password@db.example/orders';
  idle = [{ id: 1 }];
  busy = [{ id: 2, query: 'select 1 from orders where id = 4711 for update', forSeconds: 42 }];
  waiting = 3;
}

const shop = {
  openSessions: new Map([
    ['f3a1', { user: 'ada', cart: ['tea'], token: 'planted-token' }],
    ['9c04', { user: 'grace', cart: [] }],
  ]),
  ordersPool: new Pool(),
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
  const { url, close } = await serveBeans(shop);
  const client = await clients['SDK v2 with 2026-07-28'](`${url}/jig/mcp`);
  const blocks: string[] = [];
  for (const [question, calls] of Object.entries(questions)) {
    const lines = [question];
    for (const [name, given] of calls) {
      const { texts } = await client.call(name, given);
      lines.push(`→ ${name} ${JSON.stringify(given)}`, ...texts.map((text) => `← ${text}`));
    }
    blocks.push(lines.join('\n'));
  }
  await client.close();
  await close();
  const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  expect(/```text\n(.*?)\n```/s.exec(page)?.[1]).toBe(blocks.join('\n\n'));
});
