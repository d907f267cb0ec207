import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../support/start-service.ts';

const main = fileURLToPath(new URL('../../examples/discovery/dist/main.js', import.meta.url));

let service: RunningService;

beforeAll(async () => {
  service = await startService({ main, flags: ['--discovery.interval=50ms'] });
});

afterAll(() => service.stop());

interface Device {
  readonly expiration: number;
  readonly ssdpmessage: { params: object; entity: null; headers: Record<string, string> };
}

const read = async (form: string) => (await fetch(`${service.url}/jig/bean/discoveryService.${form}`)).text();

describe('examples/discovery', () => {
  it('shows its devices as JSON', async () => {
    const devices = JSON.parse(await read('json')) as Record<string, Device>;
    const [[uuid, device] = ['', undefined]] = Object.entries(devices);
    expect(uuid).toMatch(/^uuid:[\d-]{36}$/);
    expect(device).toEqual({
      expiration: expect.any(Number) as number,
      ssdpmessage: {
        startLine: 'NOTIFY * HTTP/1.1',
        params: {},
        entity: null,
        headers: expect.objectContaining({ NT: 'upnp:rootdevice', USN: `${uuid}::upnp:rootdevice` }) as unknown,
      },
    });
  });

  it('shows its devices as XML', async () => {
    const text = await read('xml');
    expect(text).toMatch(/^<DiscoveryService><uuid:[\d-]{36}><expiration>\d{13}<\/expiration><ssdpmessage>/);
    expect(text).toMatch(/<params\/><entity\/>.*<\/ssdpmessage><\/uuid:[\d-]{36}>.*<\/DiscoveryService>$/s);
  });

  it('shows other devices after a while', async () => {
    const before = await read('json');
    await expect.poll(() => read('json')).not.toBe(before);
  });
});
