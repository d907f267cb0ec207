import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
});

afterAll(() => service.stop());

const descriptors = async () => (await readdir(`/proc/${service.pid}/fd`)).length;

async function residentMebibytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

it.runIf(process.platform === 'linux')('clients that read no answer use little memory, and delay nobody', async () => {
  await fetch(`${service.url}/clock/time`);
  const [memory, open] = await Promise.all([residentMebibytes(), descriptors()]);
  const { hostname, port } = new URL(service.url);
  const clients = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    // 60 pages each would be 400 MB.
    socket.write('GET /clock/time HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(60));
    return socket;
  });
  await expect.poll(descriptors).toBeGreaterThanOrEqual(open + clients.length);
  for (let round = 0; round < 20; round++) expect((await fetch(`${service.url}/clock/time`)).status).toBe(200);
  expect(await residentMebibytes()).toBeLessThan(memory + 120);
  for (const socket of clients) socket.destroy();
  await expect.poll(descriptors).toBeLessThan(open + 10);
  expect(service.output()).not.toMatch(/"level":(?:50|60)/);
});
