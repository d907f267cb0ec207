import type { Feature } from '@jig/application';
import { describe, expect, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import addOn from '../../packages/bean-inspection/dist/add-on.js';
import { clients } from './clients.ts';

const kitchen: Feature = {
  name: 'kitchen',
  register: (host) => host.health('oven', () => ({ ok: false, state: 'cold', details: { degrees: 21 } })),
};

describe('the endpoint for agents in our host', () => {
  it('returns the health of all parts as /health does, and the add-ons with those that are off', async () => {
    await using application = await startApplication([addOn, kitchen], []);
    const client = await clients['SDK v2 with 2026-07-28'](`${application.url}/jig/mcp`);
    const { texts } = await client.call('health');
    await client.close();
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      status: 'unavailable',
      parts: { oven: { ok: false, state: 'cold', details: { degrees: 21 } } },
      addOns: expect.any(Object),
      beans: { total: expect.any(Number) },
    });
  });

  it('reads the beans of a host that has just started', async () => {
    await using application = await startApplication([addOn], []);
    const client = await clients['SDK v2 with 2026-07-28'](`${application.url}/jig/mcp`);
    for (const name of ['configuration', 'addOns', 'server'])
      expect([name, (await client.call('read_bean', { name })).isError]).toEqual([name, false]);
    await client.close();
  });
});
