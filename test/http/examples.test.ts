import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';

const built = (example: string) => fileURLToPath(new URL(`../../examples/${example}/dist/main.js`, import.meta.url));

describe('examples/greeting', () => {
  it('greets when its package.json names the add-on', async () => {
    const service = await startService({ main: built('greeting'), flags: ['--greeting.name=reader'] });
    expect(await (await fetch(`${service.url}/greeting`)).text()).toBe('Hello, reader!\n');
    expect(await service.stop()).toBe(0);
  });
});

describe('examples/sessions', () => {
  it('counts the visits of each visitor in a plain Fastify application', async () => {
    const service = await startService({ main: built('sessions') });
    const { url } = service;
    const first = await fetch(url);
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await first.text()).toBe('Visit 1\n');
    expect(await (await fetch(url, { headers: { cookie } })).text()).toBe('Visit 2\n');
    expect(await (await fetch(url)).text()).toBe('Visit 1\n');
    const ended = await fetch(`${url}/end`, { method: 'POST', headers: { cookie }, redirect: 'manual' });
    expect(ended.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect(await (await fetch(url, { headers: { cookie } })).text()).toBe('Visit 1\n');
    expect(await service.stop()).toBe(0);
  });
});

describe('examples/discovery', () => {
  it('shows its devices as JSON and XML, and others after a while', async () => {
    const service = await startService({ main: built('discovery'), flags: ['--discovery.interval=50ms'] });
    const read = async (form: string) => (await fetch(`${service.url}/jig/bean/discoveryService.${form}`)).text();
    const before = await read('json');
    const [[uuid, device] = []] = Object.entries(JSON.parse(before));
    expect(uuid).toMatch(/^uuid:[\d-]{36}$/);
    expect(device).toEqual({
      expiration: expect.any(Number),
      ssdpmessage: {
        startLine: 'NOTIFY * HTTP/1.1',
        params: {},
        entity: null,
        headers: expect.objectContaining({ NT: 'upnp:rootdevice', USN: `${uuid}::upnp:rootdevice` }),
      },
    });
    const xml = await read('xml');
    expect(xml).toMatch(/^<DiscoveryService><uuid:[\d-]{36}><expiration>\d{13}<\/expiration><ssdpmessage>/);
    expect(xml).toMatch(/<params\/><entity\/>.*<\/ssdpmessage><\/uuid:[\d-]{36}>.*<\/DiscoveryService>$/s);
    await expect.poll(() => read('json')).not.toBe(before);
    expect(await service.stop()).toBe(0);
  });
});
