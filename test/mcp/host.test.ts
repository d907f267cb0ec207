import { describe, expect, it } from 'vitest';
import type { Feature } from '@jig/application';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import addOn from '../../packages/bean-inspection/dist/add-on.js';
import { clients } from './clients.ts';
import { modern, sendOdd } from './odd-requests.ts';

const kitchen: Feature = {
  name: 'kitchen',
  register: (host) => host.health('oven', () => ({ ok: false, state: 'cold', details: { degrees: 21 } })),
};

describe('the endpoint for agents in our host', () => {
  it('tells the health of all parts, as /health does', async () => {
    await using application = await startApplication([addOn, kitchen], []);
    const client = await clients['SDK v2 with 2026-07-28'](`${application.url}/jig/mcp`);
    const { texts } = await client.call('health');
    await client.close();
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      status: 'unavailable',
      parts: { oven: { ok: false, state: 'cold', details: { degrees: 21 } } },
      beans: { total: expect.any(Number) },
    });
  });

  it('tells which add-ons are off and why, for those who miss a bean', async () => {
    await using application = await startApplication([addOn], []);
    const client = await clients['SDK v2 with 2026-07-28'](`${application.url}/jig/mcp`);
    const { texts } = await client.call('read_bean', { name: 'addOns' });
    await client.close();
    expect(texts[0]).toContain('@jig/bean-inspection');
  });

  it('is off with beanInspection.mcp=false, and wherever inspection is', async () => {
    await using without = await startApplication([addOn], ['--beanInspection.mcp=false']);
    expect(await sendOdd(`${without.url}/jig/mcp`, modern('tools/list'))).toEqual([404]);
    await using off = await startApplication([addOn], ['--beanInspection.enabled=false']);
    expect(await sendOdd(`${off.url}/jig/mcp`, modern('tools/list'))).toEqual([404]);
  });
});
